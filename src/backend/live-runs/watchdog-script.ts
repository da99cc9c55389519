/** The script polls this often. */
export const pollsPerSecond = 5

/**
 * The watchdog, for `sh`. Arguments: the run's id, the number of polls before kill, and how to list processes ("proc" or "ps").
 * Input lines: "agent PID START" (START as in /proc, or missing), "known PID:START ..." with the last found processes (of /proc), and
 * "done" when none is left. If input ends without "done", Playhead has died: the remaining processes are found as in `RunProcesses`,
 * terminated, then killed.
 */
export const watchdogScript = `
trap '' HUP INT QUIT TERM USR1 USR2 PIPE TSTP TTIN TTOU
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
run=$1 grace=$2 lister=$3 agent=0 began= known=
while read -r word words; do
  case $word in
    agent) agent=\${words%% *} began=\${words#"$agent"} began=\${began# } ;;
    known) known=$words ;;
    done) exit 0 ;;
  esac
done

# Of each living process: number, parent, session (or group), when it began.
list() {
  if [ "$lister" = proc ]; then
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / /' |
      awk '($2 != "Z" && $2 != "X") || $19 > 1 { print $1, $3, $5, $21 }'
  else
    ps -A -o pid= -o ppid= -o pgid= -o stat= -o lstart= 2>/dev/null |
      awk '$4 !~ /^Z/ { print $1, $2, $3, $5 $6 $7 $8 $9 }'
  fi
}

tagged() {
  if [ "$lister" = proc ]; then
    grep -lsF "PLAYHEAD_RUN=$run" /proc/[0-9]*/environ | tr -c '0123456789' ' '
  fi
}

# Those of the run, as PID:START.
look() {
  tags=$(tagged)
  known=$(list | awk -v tags="$tags" -v known="$known" -v agent="$agent" -v began="$began" '
    BEGIN {
      count = split(tags, part, " "); for (i = 1; i <= count; i++) tag[part[i]] = 1
      count = split(known, part, " "); for (i = 1; i <= count; i++) was[part[i]] = 1
    }
    $1 > 1 {
      parent[$1] = $2; session[$1] = $3; start[$1] = $4
      if (($1 in tag) || ($1 ":" $4) in was) { found[$1] = 1; within[$3] = 1 }
    }
    END {
      # Its number may be that of another by now.
      if (!(agent in start) || began == "" || began == start[agent]) within[agent] = 1
      delete within[0]
      do {
        more = 0
        for (pid in parent) {
          if (pid in found) continue
          if (!(parent[pid] in found) && !(session[pid] in within)) continue
          found[pid] = 1; more = 1
          if (session[pid] > 0) within[session[pid]] = 1
        }
      } while (more)
      for (pid in found) print pid ":" start[pid]
    }' | tr '\\n' ' ')
}

asked=' '
terminate() {
  for id in $known; do
    case $asked in
      *" $id "*) ;;
      *) asked="$asked$id "; kill -s TERM "\${id%%:*}" 2>/dev/null ;;
    esac
  done
}

looks=0 empty=0
# One that starts another and ends while the list is read is in it neither way, so one look without any is not enough.
while [ "$empty" -lt 2 ] && [ "$looks" -lt $((grace + 150)) ]; do
  look
  if [ -z "$known" ]; then
    empty=$((empty + 1))
  else
    empty=0
    if [ "$looks" -lt "$grace" ]; then terminate
    else for id in $known; do kill -s KILL "\${id%%:*}" 2>/dev/null; done
    fi
  fi
  looks=$((looks + 1))
  sleep 0.2 2>/dev/null || sleep 1
done
`
