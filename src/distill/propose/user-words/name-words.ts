/**
 * Words that name something: deeds of version control, programs whose names are English words, endings and kinds of
 * files. A row is data; the words of all languages count at once.
 */

/** Words for deeds of version control, in any form and language, with the command that does them: the text of a commit is none. */
export const DEEDS: readonly (readonly [words: string, command: string])[] = [
  [
    'commit[- ](?:messages?|msgs?|nachrichten)|(?:messages?|mensajes?|mensagens) de commit|提交信息|コミットメッセージ',
    '',
  ],
  ['merg(?:e|es|ed|ing) (?:(?:a|any|the|your|my|these) )?(?:pull[- ]?requests?|prs?|mrs?)', 'gh pr merge'],
  ['force[- ]?push(?:es|ed|ing)?|push(?:ing)? (?:with )?force|强制推送|強制プッシュ|강제 푸시', 'git push --force'],
  [
    'push(?:es|ed|ing|t|st|e|en|er|ez|ear|es|are)?|pusher|pushen|gepusht|pouss(?:e|er|ez)|пуш(?:ем|ить|ишь|и)?|推送|プッシュ|푸시',
    'git push',
  ],
  [
    'comm?it(?:s|t?(?:ed|ing|en|est|et|er|es|ez|e|ear|ar|are|tare))?|коммит(?:ом|ить|ишь|ь|а)?|提交|コミット|커밋',
    'git commit',
  ],
  [
    '(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|submit(?:ting)?|rais(?:e|ing)|abrir|ouvrir|crear|criar|aprire|öffnen|erstellen)? ?(?:a |an |any |each |every |the |une |un |uma |um |una |el |einen? |een )?(?:pull[- ]?requests?|prs?|merge requests?|mrs?|プルリク(?:エスト)?)',
    'gh pr create',
  ],
  ['rebas(?:e|es|ed|ing)', 'git rebase'],
  ['merg(?:e|es|ed|ing)(?! (?:conflict|commit|request)s?)', 'git merge'],
  ['stash(?:es|ed|ing)?', 'git stash'],
  ['amend(?:s|ed|ing)?', 'git commit --amend'],
  ['tag(?:s|ged|ging)? (?:a )?(?:releases?|versions?)', 'git tag'],
  ['pull(?:s|ed|ing)?(?! ?-?request)', 'git pull'],
];

/** Words that may follow the name of a program and are no part of the command, besides the words above. */
export const NO_PART =
  'if prior it them that this those these there yourself directly than not no never always over under both sure something things he she they what why how could should would will must may might do does did done had picks misses lacks skips ignores uses takes gives fails hangs breaks needs makes gets bypasses messes tests changes commands tool cli flags options scripts targets exactly locally afterwards beforehand vs per like commits works passes succeeds sense progress hooks hook jobs job steps step stages workflow workflows pipeline pipelines against went goes came passed ran repo repository project monorepo package packages manager version versions output run-time workers around instead only call calls invocation invocations instances everywhere nesse nessa neste nesta este esta estos estas questo questa questi queste dieser diesem dieses diesen dit deze ce cet cette ces laufen lassen benutzen verwenden nutzen gebruiken hier ausführen';

/** Programs whose names are English words: a command only where another word of it follows. */
export const SENTENCE_PROGRAMS =
  'pass make go just task find file open code service free more less head tail sort cut join split patch install test which man watch time at date tree column strings fold delta kill touch link type source set export read wait echo id host dig ant mage hatch flask node dart swift rush turbo nest next rails expo';

/** What names of files end with. */
export const EXTENSIONS =
  'json jsonc json5 yaml yml toml md mdx rst adoc ts tsx js jsx mjs cjs mts cts py pyi rs go mod sum java kt kts swift rb erb php c h cc cpp hpp cs sql prisma proto graphql gql html css scss less lock txt cfg ini conf env sh bash xml gradle csv tf tfvars lua ex exs vue svelte astro snap properties plist csproj ipynb zig hs ml scala dart svg po pot xlf strings arb hcl nix cmake mk tmpl example sample';

/** Files that code does not consist of: what is left out of them belongs to another file. */
export const COMPANIONS =
  'json jsonc json5 yaml yml toml md mdx rst adoc lock txt cfg ini conf env xml csv tfvars properties plist po pot xlf strings arb example sample sql snap mod sum';

/** Words before a place. */
export const PLACE_WORDS =
  'in|into|inside|under|below|to|from|of|on|at|against|with|auf|unter|nach|gegen|dans|sous|vers|contre|en|bajo|contra|em|no|na|nella?|sotto|contro|naar|onder|tegen|в';
