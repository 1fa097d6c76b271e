import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** One of a few words. */
export function oneOf<const Word extends string, const Options extends VariableOptions<NoInfer<Word>>>(
  words: readonly Word[],
  options: Options,
): Variable<Word, Options> {
  return variable<Word, Options>(
    { takes: `one of ${words.join(', ')}`, parse: (text) => words.find((word) => word === text) },
    options,
  );
}
