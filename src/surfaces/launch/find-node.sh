#!/bin/bash
# find-node WANTED [ACCEPTED [FOLDER [KNOWN]]]: prints the path of a Node that runs on this machine.
#
# The first one of version WANTED (22.18) or newer; where there is none, the first of version ACCEPTED (18) or newer. Ends
# with 1 where there is neither. Looks on the PATH, then where version managers, Homebrew and systems keep Node, and last
# at the stand-ins of version managers, which may be slow or may not know a version. KNOWN is a Node that an earlier search
# found: it is printed again, without a search, where it still may be taken.
#
# FOLDER is where the session works: a Node of that repository, or of one around it, is not taken, because a project must
# not choose the program that runs our code. Real paths are compared: a project's PATH may lead into it through links, `..`
# or /proc. A Node that another user owns or can replace is not taken either.
# Also for bash 3.2 (macOS).
wanted=$1 accepted=$2 folder=${3:-$PWD} known=$4
# Not the session's PATH, which may lead to a program of the project.
system_path=/bin:/usr/bin:/run/current-system/sw/bin
shopt -s nullglob

main() {
  local nodes=() shims=() projects=() spare= node version real
  list_projects
  is_candidate "$known" && { printf '%s\n' "$real"; return; }
  list_nodes
  for node in "${nodes[@]}" "${shims[@]}"; do
    real=
    is_candidate "$node" || continue
    node=$real
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

# Sets real: the same file by the real path of its folder. Version managers' links from there stay as they are.
is_candidate() {
  local folder target
  case $1 in /*) [ -f "$1" ] && [ -x "$1" ] || return 1 ;; *) return 1 ;; esac
  folder=$(to_real_folder "${1%/*}") || return 1
  real=${folder%/}/node
  is_foreign "$real" || return 1
  # Where the links lead, too.
  target=$(follow_links "$real") || return 1
  is_foreign "$target" && is_guarded "$folder" && is_guarded "$target" && is_guarded "${target%/*}"
}

# Only this user or the administrator can write to it. In the folders of the system the administrator decides, and owners
# tell little: a Node that was unpacked there has the user number of whoever packed it.
is_guarded() {
  local mode owner rest
  case $1/ in /usr/* | /bin/* | /opt/* | /snap/* | /nix/* | /run/current-system/* | /home/linuxbrew/*) return ;; esac
  read -r mode rest owner rest < <(PATH=$system_path ls -lnd -- "$1" 2>/dev/null)
  [ "$owner" = "$EUID" ] || [ "$owner" = 0 ] || return 1
  # The last three letters are for everybody: "w" without a sticky bit lets anybody put another file there.
  case $mode in ????????w[!tT]*) return 1 ;; esac
}

# Of no package, and of none of the session's projects.
is_foreign() {
  local project
  case $1 in */node_modules/*) return 1 ;; esac
  for project in "${projects[@]}"; do
    case $1 in "${project%/}"/*) return 1 ;; esac
  done
}

# /proc/self names another folder for each program that asks: what is below it is nobody's place.
to_real_folder() {
  local folder
  case $1/ in /proc/*) return 1 ;; esac
  folder=$(cd -P -- "$1" 2>/dev/null && pwd -P) || return 1
  case $folder/ in /proc/*) return 1 ;; /*) printf '%s' "$folder" ;; *) return 1 ;; esac
}

# The file that a link leads to in the end. Needs `readlink` only where there is a link.
follow_links() {
  local file=$1 link folder i
  for ((i = 0; i < 20; i++)); do
    [ -L "$file" ] || { printf '%s' "$file"; return; }
    link=$(PATH=$system_path readlink "$file") || return 1
    case $link in /*) ;; *) link=${file%/*}/$link ;; esac
    folder=$(to_real_folder "${link%/*}") || return 1
    file=${folder%/}/${link##*/}
  done
  return 1
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

# Every repository around the session's folder, and the folder itself. Not what holds the home folder of the account,
# where people keep programs of their own; `$HOME`, which a project can set, counts only where it is no repository.
list_projects() {
  local dir=$folder start= home account
  while [ -n "$dir" ] && [ ! -d "$dir" ]; do dir=${dir%/*}; done
  dir=$(cd -P -- "${dir:-/}" && pwd -P)
  home=$(cd -P -- "$HOME" && pwd -P)
  account=$(unset HOME && cd -P -- ~ && pwd -P)
  [ -d "$folder" ] && start=$dir
  while [ -n "$dir" ]; do
    if [ -n "$account" ] && is_inside "$account" "$dir"; then break; fi
    if is_repository "$dir"; then
      projects+=("$dir")
    elif [ "$dir" = "$start" ]; then
      { [ -n "$home" ] && is_inside "$home" "$dir"; } || projects+=("$dir")
    fi
    dir=${dir%/*}
  done
} 2>/dev/null

is_inside() {
  case ${1%/}/ in "${2%/}"/*) ;; *) return 1 ;; esac
}

is_repository() {
  [ -e "$1/.git" ] || [ -e "$1/.hg" ] || [ -e "$1/.svn" ] || [ -e "$1/.jj" ]
}

main
