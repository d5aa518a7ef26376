/** The shim: the bash script that agents run. Also for bash 3.2 (macOS), hence whole seconds in `read -t`. */
import { FLAGS, PROTOCOL_VERSION } from './wire-protocol.ts';

export interface ShimFacts {
  readonly bash: string;
  readonly node: string;
  readonly dataDir: string;
  /** Folder of `hook.cjs`. */
  readonly app: string;
}

export function renderShim({ bash, node, dataDir, app }: ShimFacts): string {
  return `#!${bash}
# Oncebitten's hook: asks the daemon, or hook.cjs when there is none. Generated. It never fails and never blocks a call.
[ "$ONCEBITTEN_DISABLED" = 1 ] && exit 0
exec 2>/dev/null
trap '' PIPE
home=${quote(dataDir)} app=${quote(app)} node=${quote(node)} flags=${FLAGS.none}
[ "$DISABLE_EXPERIENCE_INJECTION" = 1 ] && flags=${FLAGS.quiet}
[ "$ONCEBITTEN_PROBE" = 1 ] && flags=${FLAGS.probe}
read -r host </proc/sys/kernel/hostname || host=$HOSTNAME
if read -r port ask answer <"$home/run/$host/door" && { exec 3<>"/dev/tcp/127.0.0.1/$port"; }; then
  printf '%s\\n' "$ask ${PROTOCOL_VERSION} $1 $2 $flags" >&3
  if read -r -t 1 got <&3 && [ "$got" = "$answer" ]; then
    cat >&3
    printf '\\0' >&3
    read -r -t 1 reply <&3 && [ -n "$reply" ] && printf '%s\\n' "$reply"
    exit 0
  fi
  exec 3>&-
fi
shopt -s execfail
[ -x "$node" ] || node=node
ONCEBITTEN_HOME=$home NODE_COMPILE_CACHE=$app/cache exec "$node" "$app/hook.cjs" "$1" "$2" "$flags"
exit 0
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
