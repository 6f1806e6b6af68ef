// Command lines with one word after the program that only print help or a version. They have the same form for nearly every
// program. So the tables list the exceptions: a program that gives the word another meaning, or that loads code of the project
// first.
import type { CommandEntry } from './entry.ts';

/**
 * Names for which `--help` and `--version` do not work as options. They are keywords of the shell, or programs that run or open
 * the word, read commands from their input, use the word as a name, or stop the machine.
 */
const TAKE_OTHERWISE = new Set(
  'time noglob nocorrect batch reboot poweroff halt shutdown telinit tclsh wish expect erl osascript csh sh dash ash ksh say pbcopy pbpaste write mail sendmail wall newgrp chronic ifne daemonize torify tsocks proxychains proxychains4 torsocks unbuffer caffeinate catchsegv dbus-run-session xvfb-run bmake babel-node swc-node jruby pnpx service ftp telnet tftp ts tsp cd-hit'.split(
    ' ',
  ),
);

/** These programs read `--version` as a file name. */
const NO_VERSION = new Set(['rimraf', 'del', 'trash-put']);

const names = (text: string) => new Set(text.split(/\s+/));

/** Programs with a short form or a bare word that has the same effect. */
const FORMS: Readonly<Record<string, ReadonlySet<string>>> = {
  '-h': names(`rg fd fdfind jq gojq jaq yq bat batcat eza exa lsd curl wget http https hyperfine tokei scc cloc shfmt hadolint yamllint
    ruff black isort mypy eslint prettier biome node nodejs npm npx python python3 python2 ruby perl php pip pip3 uv uvx conda mamba
    cargo rustc rustup make gmake cmake ctest ninja meson just task rake aws gcloud az op vault nomad consul ansible ansible-playbook
    ffmpeg ffplay ffprobe gpg gpg2 gpgv rsync systemctl journalctl loginctl hostnamectl timedatectl localectl networkctl resolvectl
    coredumpctl systemd-analyze systemd-run systemd-detect-virt ss ip lsof strace ltrace dmesg lscpu lsblk findmnt lsns lsipc lsmem
    lslocks htop btm ncdu nvidia-smi pgrep pkill pidof pmap pwdx free top watch sudo gdb lldb valgrind hexyl xxd docker podman nerdctl
    docker-compose gh glab kubectl oc helm terraform tofu brew gem apt apt-get apt-cache aptitude dpkg-query rpm dnf yum pacman apk snap
    flatpak zypper go bun deno tsc dart swift julia lua luajit nim crystal raku R Rscript ghc sqlite3 mongosh duckdb
    pre-commit tmux screen parallel fzf gron delta direnv git-lfs tig lazygit starship zig gitleaks protoc buf nix nix-env asdf mise nvm
    rbenv pyenv volta heroku vercel netlify fly flyctl wrangler firebase supabase pulumi vagrant minikube kind skaffold eksctl doctl
    esbuild vitest playwright clang-format shellcheck openssl age pdfinfo pdffonts pdftotext csvcut csvlook csvstat csvgrep csvsort
    code nano vim nvim hx micro emacs`),
  '-V': names(`rg fd fdfind bat batcat jq yq curl wget python python3 python2 pip pip3 conda mamba cargo rustc rustup uv just ssh ps pgrep
    pkill free uptime w top vmstat lscpu lsblk findmnt lsns lsipc lsmem lslocks dmesg ss ip nginx httpd apache2 dot ab tmux sudo
    strace ltrace psql mysql mariadb mount umount hyperfine tokei delta dnf`),
  help: names(`brew bun docker podman nerdctl docker-compose kubectl oc helm gh glab go pnpm yarn gcloud aws az uv pip pip3 rustup gem
    apt apt-get aptitude snap dnf yum zypper terraform tofu pulumi minikube kind skaffold eksctl fly flyctl doctl heroku vercel netlify
    supabase firebase zig gitleaks asdf mise pyenv rbenv nvm openssl dart buf git-lfs direnv op vault nomad consul`),
  version:
    names(`docker podman nerdctl docker-compose kubectl oc helm gh glab go terraform tofu pulumi minikube kind skaffold eksctl
    fly flyctl doctl heroku wrangler consul vault nomad zig gitleaks openssl buf direnv gcloud az`),
  '-help': names('java javac javap terraform tofu kotlin kotlinc sqlite3 vault consul nomad dot'),
  '-version': names(
    'java javac javap terraform tofu sqlite3 vault consul nomad ffmpeg ffplay ffprobe scala kotlin kotlinc ocaml',
  ),
};

/** True if the only word after the program requests help or a version, and has no other effect. */
export function asksInformation(entry: CommandEntry, program: string, word: string): boolean {
  if (entry.steered) return false;
  if (word === '--help' || word === '--version')
    return !TAKE_OTHERWISE.has(program) && !(word === '--version' && NO_VERSION.has(program));
  return Object.hasOwn(FORMS, word) && FORMS[word]!.has(program);
}
