import { url as urlValue } from '@meridian/values';

import { scalar } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/** A URL with one of these schemes, or one of these words. */
export function url(schemes: readonly string[], words: readonly string[] = []): ValueType<string> {
  const { takes, read } = urlValue(schemes);
  return scalar({
    takes: `${words.map((word) => `${word}, or `).join('')}${takes}`,
    read: (value) => words.find((word) => word === value) ?? read(value),
    schema: { type: 'string', examples: [`${schemes[0]}://host.example/`] },
  });
}
