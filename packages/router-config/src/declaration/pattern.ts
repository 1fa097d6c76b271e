import { scalar } from './value-type.ts';

/** A regular expression over names of header fields, or over origins, in the notation of Rust, as in Apollo Router. */
export const pattern = scalar({
  takes: 'a regular expression',
  read: (value) => (typeof value === 'string' ? compile(value) : undefined),
  schema: { type: 'string', examples: ['^x-'] },
});

/** Of Rust's extensions, a leading `(?i)` and escapes of any punctuation are supported; others are errors. */
function compile(source: string): RegExp | undefined {
  const [, insensitive, expression = ''] = /^(\(\?i\))?(.*)$/su.exec(source) ?? [];
  try {
    return new RegExp(withoutNeedlessEscapes(expression), insensitive === undefined ? 'u' : 'iu');
  } catch {
    return undefined;
  }
}

/** With the flag `u`, an unnecessary escape, such as of a hyphen, is an error. */
function withoutNeedlessEscapes(expression: string): string {
  return expression.replaceAll(/\\([\s\S])/gu, (escape, escaped: string) =>
    /[!"#%&',:;<=>@_`~-]/u.test(escaped) ? `\\x${escaped.charCodeAt(0).toString(16)}` : escape,
  );
}
