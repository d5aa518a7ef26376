/**
 * Words without what a reader could take for more than words: tags and marks of chats, the lines that our own notes are
 * made of, and the markers of reports. In whatever was typed or printed. Once done it changes nothing more.
 */

const TAGS =
  'system|assistant|human|user|developer|instructions?|prompt|tool_result|tool_use|tool_response|function|functions|function_calls?|function_results?|invoke|parameter|important|admin|override|thinking|answer|context|command-[a-z]+|local-command-[a-z]+|user-prompt-[a-z-]+|persisted-output|[a-z]+-reminder|antml[:\\w-]*';

const MARKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`<\\s*/?\\s*(?:${TAGS})(?:\\s[^<>]{0,200})?/?\\s*>?`, 'giu'), '…'],
  [/<\|[^|<>]{0,40}\|>|<\|[\w-]{2,30}|\[\/?INST\]|<<\/?SYS>>/giu, '…'],
  [/#{2,}\s*(?=(?:instructions?|system|human|assistant|user|response)\b)/giu, ''],
  // A turn of somebody else.
  [/(^|["'`(]\s*|[.!?…]\s+|\\n\s*)(system|assistant|human|user|developer)\s*[:：]\s*(?=\S)/giu, '$1$2 '],
  [/#(\/?lesson)\b/giu, '$1'],
  [/\[(\/?process[_ -]knowledge)\]/giu, '$1'],
  [/\b((?:CRITICAL )?lesson) from (?=earlier (?:work|in this session)|the files of this repository)/giu, '$1 of '],
  [/\b(what (?:went wrong|works))\s*[:：]/giu, '$1'],
];

export function dropMarks(text: string): string {
  if (!/[<#[:：]|lesson/iu.test(text)) return text;
  const bare = MARKS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text);
  return bare === text ? text : dropMarks(bare);
}
