#!/bin/bash
# Installs the Debian package into a new root of its own, with nothing else but what the package asks for (and a C compiler), and
# tries it there with check.sh.
#
# Usage: tests/dist/root.sh PACKAGE.deb, as root, where debootstrap is installed.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
package=$(realpath "$1")
root=$(mktemp -d)
leave() {
  # Lazily: what ran in there may take a moment to end.
  umount --lazy "$root/proc" "$root/dev/pts" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap leave EXIT
. /etc/os-release
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" >"$root.log" || { tail -20 "$root.log" >&2; exit 1; }
rm "$root.log"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
[ -e "$root/dev/ptmx" ] || ln -s pts/ptmx "$root/dev/ptmx"
cp "$package" "$root/asterism.deb"
cp "$here/check.sh" "$root/check.sh"
export DEBIAN_FRONTEND=noninteractive
chroot "$root" apt-get install -y -qq --no-install-recommends /asterism.deb gcc make libc6-dev bsdutils >"$root/install.log" 2>&1 ||
  { tail -20 "$root/install.log" >&2; exit 1; }
chroot "$root" asterism --version -v
chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root bash /check.sh /usr/lib/asterism/bin
