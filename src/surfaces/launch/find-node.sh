#!/bin/bash
# find-node WANTED [ACCEPTED [FOLDER]]: prints the path of a Node that runs on this machine.
#
# The first one of version WANTED (22.18) or newer; where there is none, the first of version ACCEPTED (18) or newer. Ends
# with 1 where there is neither. Looks on the PATH, then where version managers, Homebrew and systems keep Node, and last
# at the stand-ins of version managers, which may be slow or may not know a version. FOLDER is where the session works: a
# Node of that repository is not taken, because a project must not choose the program that runs our code.
# Also for bash 3.2 (macOS).
wanted=$1 accepted=$2 folder=${3:-$PWD}
shopt -s nullglob

main() {
  local nodes=() shims=() spare= node version
  list_nodes
  for node in "${nodes[@]}" "${shims[@]}"; do
    is_candidate "$node" || continue
    # Some stand-ins ask the network for a version: nobody waits longer than a second for one.
    version=
    read -r -t 1 version < <(exec "$node" --version 2>/dev/null </dev/null)
    is_at_least "$version" "$wanted" && { printf '%s\n' "$node"; return; }
    [ -z "$spare" ] && [ -n "$accepted" ] && is_at_least "$version" "$accepted" && spare=$node
  done
  [ -n "$spare" ] && printf '%s\n' "$spare"
}

list_nodes() {
  local data=${XDG_DATA_HOME:-$HOME/.local/share} dir IFS
  IFS=:
  set -f
  for dir in $PATH; do
    case $dir in */shims | */.volta/bin) shims+=("$dir/node") ;; *) nodes+=("$dir/node") ;; esac
  done
  set +f
  unset IFS
  add "${NVM_DIR:-$HOME/.nvm}"/versions/node/v*/bin/node
  for dir in "$FNM_DIR" "$data/fnm" "$HOME/.fnm" "$HOME/Library/Application Support/fnm"; do
    [ -n "$dir" ] && add "$dir"/node-versions/v*/installation/bin/node
  done
  add "${VOLTA_HOME:-$HOME/.volta}"/tools/image/node/*/bin/node
  add "${ASDF_DATA_DIR:-$HOME/.asdf}"/installs/nodejs/*/bin/node
  add "${MISE_DATA_DIR:-$data/mise}"/installs/node/*/bin/node
  add "${NODENV_ROOT:-$HOME/.nodenv}"/versions/*/bin/node
  for dir in "$N_PREFIX" "$HOME/n" "$HOME/.n" /usr/local; do
    [ -n "$dir" ] && add "$dir"/n/versions/node/*/bin/node
    [ -n "$dir" ] && add "$dir/bin/node"
  done
  for dir in "$HOMEBREW_PREFIX" /opt/homebrew /usr/local /home/linuxbrew/.linuxbrew; do
    [ -n "$dir" ] && add "$dir"/opt/node*/bin/node
    [ -n "$dir" ] && add "$dir/bin/node"
  done
  add /usr/bin/node /bin/node /snap/bin/node /opt/node*/bin/node /opt/local/bin/node
  add "$HOME/.nix-profile/bin/node" /run/current-system/sw/bin/node /nix/var/nix/profiles/default/bin/node
  shims+=("${VOLTA_HOME:-$HOME/.volta}/bin/node" "${ASDF_DATA_DIR:-$HOME/.asdf}/shims/node")
  shims+=("${MISE_DATA_DIR:-$data/mise}/shims/node" "${NODENV_ROOT:-$HOME/.nodenv}/shims/node")
}

# The last name first: of a version manager's folders that is mostly the newest.
add() {
  local i
  for ((i = $#; i > 0; i--)); do nodes+=("${!i}"); done
}

is_candidate() {
  case $1 in
    */node_modules/*) return 1 ;;
    "$project"/*) return 1 ;;
    /*) [ -f "$1" ] && [ -x "$1" ] ;;
    *) return 1 ;;
  esac
}

# is_at_least v22.19.0 22.18
is_at_least() {
  local have need
  [[ $1 =~ ^v?([0-9]+)\.([0-9]+) ]] || return 1
  have=$((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2]))
  [[ $2 =~ ^([0-9]+)(\.([0-9]+))? ]] || return 1
  need=$((BASH_REMATCH[1] * 1000 + ${BASH_REMATCH[3]:-0}))
  [ "$have" -ge "$need" ]
}

# The repository of a folder, or the folder itself. Nothing where that is the home folder or above it.
find_project() {
  local dir=$1
  while [ -n "$dir" ] && [ ! -e "$dir/.git" ]; do dir=${dir%/*}; done
  [ -n "$dir" ] || dir=$1
  case $HOME/ in "${dir%/}"/*) dir=/none ;; esac
  printf '%s' "$dir"
}

project=$(find_project "$folder")
main
