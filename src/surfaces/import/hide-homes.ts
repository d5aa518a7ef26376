/** Home folders, which name people, out of a text: `/home/ada/shop` is `~/shop`. */

const HOMES =
  /(?:(?<![\w.~-])\/(?:home|Users)\/|\b[A-Za-z]:\\Users\\)[^\s/\\:'"`<>|]+|(?<![\w/.-])\/root(?=\/|\b(?![\w.-]))/g;

export function hideHomes(text: string): string {
  return text.replace(HOMES, '~');
}
