// The mean of the largest of n independent, alike times: what a gang of n nodes waits for when each
// adds a random time (jitter of a step, of a start) and all wait for the last.
//
//   exponential  mean H_n, H_n = 1 + 1/2 + ... + 1/n                             exact
//   Pareto       x_m Gamma(n+1) Gamma(1 - 1/a) / Gamma(n + 1 - 1/a), a > 1       exact
//   Weibull      scale (ln n)^(1/k) (1 + g/(k ln n))                             for large n
//   normal       mu + sigma (b + g/c)                                            for large n
//   lognormal    e^(mu + sigma b) Gamma(1 - sigma/c), sigma < c                  for large n
//
// with g = 0.5772 (Euler's constant), c = sqrt(2 ln n) and
// b = c - (ln ln n + ln(4 pi)) / (2 c).
//
// Sources: Renyi's representation for the exponential (the gaps between n of them are exponential,
// of means mean/n, ..., mean/1); the beta function for the Pareto; Gumbel limits with the constants
// of Embrechts, Kluppelberg, Mikosch, "Modelling Extremal Events", Springer 1997, table 3.4.4. At
// n = 2048 the limits are off by +0.8% (normal), -0.9% (Weibull, k = 0.7) and +1.3% (lognormal,
// sigma = 0.5).
//
// Worked example, by hand. n = 2: exponential of mean 1: 1.5. Pareto x_m = 1, a = 2:
// 2 Gamma(1/2) / Gamma(5/2) = 2 sqrt(pi) / (3 sqrt(pi)/4) = 8/3. n = 2048: ln n = 7.624619,
// c = 3.905027, b = 3.905027 - (2.031383 + 2.531024)/7.810054 = 3.320857,
// normal 3.320857 + 0.577216/3.905027 = 3.468670.
//
// Light tails hardly notice n (8 means for 2048 exponentials); a heavy tail does.
// Units: those of the arguments. Thread rule: pure functions.
#pragma once

#include <cstdint>

namespace faultline::analytic {

double expected_maximum_of_exponentials(std::int64_t n, double mean);            // n >= 1
double expected_maximum_of_paretos(std::int64_t n, double least, double shape);  // shape > 1
// These need n >= 2 and are limits: good from about n = 100 on.
double expected_maximum_of_weibulls(std::int64_t n, double shape, double scale);
double expected_maximum_of_normals(std::int64_t n, double mean, double deviation);
double expected_maximum_of_lognormals(std::int64_t n, double mu, double sigma);

}  // namespace faultline::analytic
