#!/usr/bin/env bash
# A throw-away SLURM of one node, this machine, to try `snakemake --profile slurm` on: Debian or Ubuntu, as root.
#
#     tests/slurm/cluster.sh start     # installs slurm-wlm and munge where they are missing
#     tests/slurm/cluster.sh status
#     tests/slurm/cluster.sh stop      # and nothing is left but the packages
#
# Configuration, key, ports and state are its own, in a folder. /etc/slurm/slurm.conf is a link to that folder as long
# as the cluster runs: the job steps of Snakemake's plugin do not get SLURM_CONF. Where there is such a file already,
# the machine has a SLURM, and nothing is started.
# The node claims CPUs and memory that it need not have, so that jobs of 8 threads start on 2 cores.
set -euo pipefail

HERE="${VORLAGE_SLURM:-/tmp/vorlage-slurm}"
CPUS=12
MEMORY_MB=32000
SITE=/etc/slurm/slurm.conf
SECONDS_TO_START=60
export SLURM_CONF="$HERE/slurm.conf"
export PATH="$PATH:/usr/sbin:/sbin"

say() { echo "cluster.sh: $*" >&2; }

fail() {
    say "error: $*"
    exit 1
}

install_packages() {
    local missing=()
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null || missing+=(slurm-wlm)
    command -v munged >/dev/null || missing+=(munge)
    [ "${#missing[@]}" -eq 0 ] && return
    command -v apt-get >/dev/null || fail "${missing[*]} missing, and there is no apt-get to install them"
    say "installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
        "${missing[@]}" >&2 || fail "apt-get could not install ${missing[*]}"
}

write_configuration() {
    local host
    host="$(hostname -s)"
    mkdir -p "$HERE/state" "$HERE/spool"
    chmod 755 "$HERE"
    (umask 077 && head -c 128 /dev/urandom >"$HERE/munge.key")
    cat >"$SLURM_CONF" <<END
ClusterName=throwaway
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$HERE/munge.socket
CredType=cred/munge
MpiDefault=none
# Beside a SLURM that is already there.
SlurmctldPort=26817
SlurmdPort=26818
SlurmctldPidFile=$HERE/slurmctld.pid
SlurmdPidFile=$HERE/slurmd.pid
SlurmctldLogFile=$HERE/slurmctld.log
SlurmdLogFile=$HERE/slurmd.log
StateSaveLocation=$HERE/state
SlurmdSpoolDir=$HERE/spool
# No control groups: they are not to be had in many containers.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# A job over its memory is killed all the same, by polling.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
# Nor accounting, which needs a database: the status of jobs comes from squeue.
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
# An hour, for tests that ask what became of a job.
MinJobAge=3600
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$CPUS RealMemory=$MEMORY_MB State=UNKNOWN
PartitionName=short Nodes=$host Default=YES MaxTime=INFINITE State=UP
PartitionName=long Nodes=$host MaxTime=INFINITE State=UP
END
}

running() { [ -f "$SLURM_CONF" ] && timeout 5 sinfo --noheader >/dev/null 2>&1; }

state() { timeout 5 sinfo --noheader --format %T --partition short 2>/dev/null || true; }

start() {
    [ "$(id -u)" -eq 0 ] || fail "only root can start it"
    [ ! -e "$SITE" ] || [ "$(readlink "$SITE")" = "$SLURM_CONF" ] ||
        fail "this machine has a SLURM already, by $SITE; use that"
    if ! running; then
        install_packages >&2
        stop
        write_configuration
        munged --force --key-file="$HERE/munge.key" --socket="$HERE/munge.socket" --pid-file="$HERE/munged.pid" \
            --log-file="$HERE/munged.log" --seed-file="$HERE/munged.seed" >&2
        mkdir -p "$(dirname "$SITE")"
        ln -sfn "$SLURM_CONF" "$SITE"
        slurmctld -f "$SLURM_CONF" >&2
        slurmd -f "$SLURM_CONF" -N "$(hostname -s)" >&2
    fi
    for _ in $(seq "$SECONDS_TO_START"); do
        if [[ "$(state)" =~ ^(idle|mixed|allocated)$ ]]; then
            say "one node with $CPUS CPUs and $MEMORY_MB MB is up"
            return
        fi
        sleep 1
    done
    for log in "$HERE"/*.log; do tail -n 5 "$log" >&2; done
    fail "the node is not idle after $SECONDS_TO_START s but '$(state)'"
}

stop() {
    local daemon pid
    if running; then timeout 10 scancel --user=root 2>/dev/null || true; fi
    for daemon in slurmd slurmctld munged; do
        pid="$(cat "$HERE/$daemon.pid" 2>/dev/null)" || continue
        # The number may be that of another process by now.
        [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$daemon" ] || continue
        kill "$pid"
        for _ in $(seq 100); do [ -e "/proc/$pid" ] && sleep 0.1; done
        [ -e "/proc/$pid" ] && kill -KILL "$pid"
    done
    [ "$(readlink "$SITE")" != "$SLURM_CONF" ] || rm "$SITE"
    rm -rf "$HERE"
    say "stopped"
}

case "${1:-}" in
start) start ;;
stop) stop ;;
status) if running; then sinfo; else fail "not running"; fi ;;
*) fail "usage: $0 start|stop|status" ;;
esac
