import { scalar } from './value-type.ts';

/** A regular expression over names of header fields, or over origins, as Apollo Router takes them: in the notation of Rust. */
export const pattern = scalar({
  takes: 'a regular expression',
  read: (value) => (typeof value === 'string' ? compile(value) : undefined),
  schema: { type: 'string', examples: ['^x-'] },
});

/** Of what only Rust has, `(?i)` in front and escapes of any punctuation are understood; the rest is an error here. */
function compile(source: string): RegExp | undefined {
  const [, insensitive, expression = ''] = /^(\(\?i\))?(.*)$/su.exec(source) ?? [];
  try {
    return new RegExp(withoutNeedlessEscapes(expression), insensitive === undefined ? 'u' : 'iu');
  } catch {
    return undefined;
  }
}

/** In this notation an escape that changes nothing, such as of a hyphen, is an error. */
function withoutNeedlessEscapes(expression: string): string {
  return expression.replaceAll(/\\([\s\S])/gu, (escape, escaped: string) =>
    /[!"#%&',:;<=>@_`~-]/u.test(escaped) ? `\\x${escaped.charCodeAt(0).toString(16)}` : escape,
  );
}
