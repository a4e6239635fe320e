// Where happenings go: the ledger, the metrics, a journal file, a test.
#pragma once

#include "models/happenings.h"

namespace faultline {

class HappeningSink {
 public:
  HappeningSink() = default;
  HappeningSink(const HappeningSink&) = default;
  HappeningSink& operator=(const HappeningSink&) = default;
  virtual ~HappeningSink() = default;

  // In order of time; `happening.id` counts from 0.
  virtual void on(const Happening& happening) = 0;
};

// One stream for two readers.
class Tee final : public HappeningSink {
 public:
  Tee(HappeningSink& first, HappeningSink& second) : first_(first), second_(second) {}
  void on(const Happening& happening) override {
    first_.on(happening);
    second_.on(happening);
  }

 private:
  HappeningSink& first_;
  HappeningSink& second_;
};

}  // namespace faultline
