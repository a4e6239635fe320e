#!/usr/bin/env bash
# A real Slurm on this machine, with daemons and files of its own: the job array runs, one task is requeued
# while it works, and the merged report is that of a single process. Skips where Slurm and munge are not installed,
# or the user is not root (slurmd wants to be).
set -euo pipefail

skip() {
  echo "skipped: $1"
  exit 0
}
for tool in slurmctld slurmd sbatch squeue scontrol munged munge; do
  command -v "$tool" >/dev/null || skip "no $tool (Debian: slurm-wlm, munge)"
done
[[ $EUID == 0 ]] || skip "not root"
[[ -x ${FAULTLINE_BINARY:-} ]] || skip "FAULTLINE_BINARY is not set"
# shellcheck source=test/support/slurm.sh
source "$FAULTLINE_HOME/test/support/slurm.sh"

place=$(mktemp -d)
chmod 755 "$place"
mkdir "$place"/{state,spool,munge}

stop() {
  local file
  for file in slurmd slurmctld munged; do
    [[ -s $place/$file.pid ]] && kill "$(cat "$place/$file.pid")" 2>/dev/null
  done
  sleep 1
  rm -rf -- "$place"
}
trap stop EXIT

# munge: a key and a socket of its own.
chown munge "$place/munge"
(umask 377 && head -c 1024 /dev/urandom >"$place/munge/key")
chown munge "$place/munge/key"
install -o munge -m 644 /dev/null "$place/munged.pid"
runuser -u munge -- munged --key-file="$place/munge/key" --socket="$place/munge/socket" \
  --pid-file="$place/munged.pid" --log-file="$place/munge/log" --seed-file="$place/munge/seed"
munge --socket="$place/munge/socket" -n >/dev/null

host=$(hostname -s)
export SLURM_CONF=$place/slurm.conf
cat >"$SLURM_CONF" <<STOP
ClusterName=faultline
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmdSpoolDir=$place/spool
StateSaveLocation=$place/state
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
STOP
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"

wait_for() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if ((SECONDS > end)); then
      echo "gave up on: $*"
      tail -n 20 "$place"/*.log
      exit 1
    fi
    sleep 0.5
  done
}
is_idle() { [[ $(sinfo -h -o %t 2>/dev/null) == idle ]]; }
is_over() { [[ -z $(squeue -h 2>/dev/null) ]]; }
wait_for 60 is_idle
echo "$(sbatch --version) is up"

export FAULTLINE=$FAULTLINE_BINARY FAULTLINE_RESULTS=$place/results FAULTLINE_HOME
submit() { # ARRAY EXPERIMENT...
  sbatch --parsable --chdir="$place" --cpus-per-task=1 --array="$1" \
    "$FAULTLINE_HOME/deploy/slurm/faultline-array.sbatch" "${@:2}"
}

job=$(submit 1-7 "${experiment[@]}")
wait_for 300 is_over
echo "job $job: $(find "$place/results" -name '*.db' | wc -l) stores"
compare_with_one_process "$place"
echo "seven tasks: the same report"

# Requeued in the middle: it goes on where it was.
export FAULTLINE_RESULTS=$place/requeued
experiment=(sweep small --vary 'policy.gate=off,20%' --reps 20000)
job=$(submit 1-2 "${experiment[@]}")
has_rows() { compgen -G "$place/requeued/share-1-*.db-wal" >/dev/null; }
wait_for 60 has_rows
sleep 2
scontrol requeue "${job}_1"
# (Slurm holds a requeued job back for two minutes.)
wait_for 600 is_over
grep -h 'more from' "$place"/faultline-*_1.log
mv "$place/results" "$place/first"
mv "$place/requeued" "$place/results"
rm "$place/all.db"
compare_with_one_process "$place"
echo "a requeued task: the same report"
