/**
 * The shim: the bash script that agents run. Also for bash 3.2 (macOS), hence whole seconds in `read -t`.
 *
 * `read` takes bytes one by one (four system calls each with `-t`), and `cat` costs a process, 1.3 ms. Only `read -N`
 * takes blocks, from bash 5 on; the shim uses it for payloads that it reads faster than `cat` starts.
 */
import { readFileSync } from 'node:fs';
import { AGENTS } from '../../agents/agents.ts';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import { NEEDED_NODE, OLDEST_NODE } from '../launch/find-node.ts';
import { FLAGS, PROTOCOL_VERSION } from './wire-protocol.ts';

const BLOCK_BYTES = 32_768;
/** Longer than any reply; the reply ends when the daemon closes. A reply without a final newline is incomplete. */
const MAX_REPLY_BYTES = 1_000_000;
/** Where systems keep `cat`, because the session's PATH may lead to a program of the project. */
const SYSTEM_PATH = '/bin:/usr/bin:/run/current-system/sw/bin';

export interface ShimFacts {
  /** Behind `#!`. With `-p` bash takes no start-up file (`BASH_ENV`) and no functions from the environment. */
  readonly bash: string;
  readonly node: string;
  readonly dataDir: string;
  /** Folder of `hook.cjs`. */
  readonly app: string;
}

/**
 * The lines with which a script in `bin/` of a data directory begins: the paths of that directory, of the bundles and of
 * Node. A person may move the home folder afterwards. Then the script finds its own folder by its own path and puts that
 * in the place of the recorded one. It does so only where `app/` is beside `bin/`, so a link to the script changes nothing.
 */
export function renderPlaces({ node, dataDir, app }: Omit<ShimFacts, 'bash'>): string {
  return `home=${quote(dataDir)} app=${quote(app)} node=${quote(node)}
here=\${BASH_SOURCE%/bin/*}
[ "$here" = "$home" ] || [[ $BASH_SOURCE == /* ]] || { here=$PWD/$BASH_SOURCE; here=\${here%/bin/*}; }
if [ "$here" != "$home" ] && [ -d "$here/app" ] && [ ! "$here" -ef "$home" ]; then
  case $app in "$home"/*) app=$here\${app#"$home"} ;; esac
  case $node in "$home"/*) node=$here\${node#"$home"} ;; esac
  home=$here
fi`;
}

export function renderShim({ bash, node, dataDir, app }: ShimFacts): string {
  return `#!${bash}
# Oncebitten's hook: asks the daemon, or hook.cjs when there is none. Generated. It never fails and never blocks a call.
[[ $${CHILD_VARIABLE} == 1 || $ONCEBITTEN_DISABLED == 1 ]] && exit 0
exec 2>/dev/null
trap '' PIPE
${renderPlaces({ node, dataDir, app })}
flags=${FLAGS.none} again= known= pid=
${renderProcess()}
[ "$DISABLE_EXPERIENCE_INJECTION" = 1 ] && flags=${FLAGS.quiet}
read -r host </proc/sys/kernel/hostname || host=$HOSTNAME
# A name with a slash would lead to a door file outside of the data directory.
case $ONCEBITTEN_HOST in '' | .* | */*) ;; *) host=$ONCEBITTEN_HOST ;; esac
# For doctor; "cold" asks for what happens without a daemon: no host is called "-", so there is no door.
case $ONCEBITTEN_PROBE in 1) flags=${FLAGS.probe} ;; cold) flags=${FLAGS.probe} host=- ;; esac
# Did \`read\` wait for nothing? Before bash 4 its exit code does not say so, but the shell has run for a second.
late() { [ "$1" -gt 128 ] || { [ "\${BASH_VERSINFO[0]}" -lt 4 ] && [ "$SECONDS" -gt 0 ]; }; }
# A daemon that hangs costs one call a second, not every call: it is left alone until it removes the mark itself.
stalled=$home/run/$host/stalled
if [ ! -e "$stalled" ] && read -r port ask answer <"$home/run/$host/door" && { exec 3<>"/dev/tcp/127.0.0.1/$port"; }; then
  printf '%s\\n' "$ask ${PROTOCOL_VERSION} $1 $2 $flags $pid" >&3
  read -r -t 1 got <&3 || { late $? && : >"$stalled"; }
  if [ "$got" = "$answer" ]; then
    if [ "\${BASH_VERSINFO[0]}" -ge 5 ]; then
      LC_ALL=C
      read -r -N ${BLOCK_BYTES} part
      if [ \${#part} -lt ${BLOCK_BYTES} ]; then
        printf '%s\\0' "$part" >&3
      else
        printf '%s' "$part" >&3
        PATH=${SYSTEM_PATH} cat >&3
        printf '\\0' >&3
      fi
      read -r -t 1 -N ${MAX_REPLY_BYTES} reply <&3
      slow=$(($? > 128))
      [ $slow = 1 ] && : >"$stalled"
      reply=\${reply#"\${reply%%[! ]*}"}
      [[ $reply == *?$'\\n' ]] && printf '%s' "$reply"
      # A daemon that died before it wrote the event down: tell it to hook.cjs, if all of it is still here.
      if [ $slow = 0 ] && [[ $reply != *$'\\n' ]] && [ \${#part} -lt ${BLOCK_BYTES} ]; then
        exec < <(printf '%s' "$part")
        again=1
      fi
    else
      PATH=${SYSTEM_PATH} cat >&3
      printf '\\0' >&3
      if read -r -t 1 reply <&3; then [ -z "$reply" ] || printf '%s\\n' "$reply"; else late $? && : >"$stalled"; fi
    fi
    [ "$again" = 1 ] || exit 0
  fi
  exec 3>&-
fi
shopt -s execfail
# A project may have set these for its sessions: code for Node or bash to load. The daemon that hook.cjs starts inherits the rest.
unset \${!NODE_@} \${!OPENSSL_@} BASH_ENV ENV
[ -x "$node" ] && ONCEBITTEN_HOME=$home PWD=$PWD exec "$node" --v8-pool-size=1 "$app/hook.cjs" "$1" "$2" "$flags"
# That Node is gone. find-node checks the one that an earlier call found, or looks for another.
found=$home/run/$host/node
[ -O "$found" ] && read -r known <"$found"
node=$("$BASH" -p "$app/find-node" ${NEEDED_NODE} ${OLDEST_NODE} "$PWD" "$known" </dev/null)
[ -z "$node" ] || [ "$node" = "$known" ] || { umask 077; printf '%s\\n' "$node" >"$found"; }
[ -x "$node" ] && ONCEBITTEN_HOME=$home PWD=$PWD exec "$node" --v8-pool-size=1 "$app/hook.cjs" "$1" "$2" "$flags"
exit 0
`;
}

/** Some agents give their hooks the process id of the agent in an environment variable. */
function renderProcess(): string {
  const rows = AGENTS.flatMap(({ id, processVariable }) =>
    processVariable === undefined ? [] : [`${id}) pid=$${processVariable} ;;`],
  );
  return `case $1 in ${rows.join(' ')} esac`;
}

/** The paths in a shim. Undefined if we did not write the file. */
export function readShim(hookFile: string): Omit<ShimFacts, 'bash'> | undefined {
  const [, dataDir, app, node] = LINE.exec(readFileSync(hookFile, 'utf8')) ?? [];
  if (dataDir === undefined || app === undefined || node === undefined) return undefined;
  return { dataDir: unquote(dataDir), app: unquote(app), node: unquote(node) };
}

const QUOTED = String.raw`'((?:[^']|'\\'')*)'`;
const LINE = new RegExp(`^home=${QUOTED} app=${QUOTED} node=${QUOTED}`, 'm');

function unquote(text: string): string {
  return text.replaceAll(`'\\''`, "'");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
