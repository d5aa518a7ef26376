/**
 * What the name of a file or of a host ends with. Class names and settings have dots too (`java.lang.Error`,
 * `mapred.job.id`) and say what a message is about: only a known end makes a value.
 */
const FILES = `
  js jsx ts tsx mjs cjs mts cts json jsonc jsonl json5 map vue svelte astro css scss sass less html htm
  py pyi pyc pyx ipynb go mod sum work rs rlib java kt kts scala groovy gradle class jar war c h cc cpp cxx hpp hh hxx m mm
  cs csproj fs fsproj vb sln rb erb gemspec php pl pm lua r jl dart swift ex exs erl hs ml mli clj elm nim zig
  sh bash zsh fish ps1 psm1 bat cmd awk sql prisma graphql proto thrift wasm wat tf tfvars hcl nix
  md mdx rst txt tex log csv tsv xml xsd xsl svg yml yaml toml ini cfg conf config properties env lock plist
  o a so dll dylib lib exe bin out obj img iso dmg deb rpm apk whl egg gz tgz tar zip bz2 xz zst 7z rar
  png jpg jpeg gif webp ico bmp pdf doc docx xls xlsx ppt pptx mp3 mp4 wav mov avi ttf woff woff2
  db sqlite sqlite3 dat data tmp temp bak orig rej swp pid sock socket patch diff snap golden pem crt cer key csr p12 jks
  cmake mk in am ac spec service timer target mount desktop dockerfile dockerignore gitignore editorconfig
`;

const HOSTS = `
  com net org edu gov mil info biz io dev app cloud ai local localdomain internal intranet lan home corp arpa
  de uk fr jp cn br ru nl au ca ch se es kr tw hk sg nz at be dk fi cz pt gr ie il mx ar cl tr ua ro hu za us eu
`;

export const NAME_ENDS: ReadonlySet<string> = new Set(`${FILES} ${HOSTS}`.split(/\s+/).filter((end) => end !== ''));
