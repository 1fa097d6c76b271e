import { allowedNames, bannedWords } from './banned-words.ts';
import { declaredNames } from './declared-names.ts';
import type { ProseFault } from './prose-faults.ts';
import type { ProseFile } from './prose-file.ts';

/** The declared names of a file that have a word which docs/glossary.md says not to use. */
export function nameFaults({ path, source, code }: ProseFile): ProseFault[] {
  return code === undefined
    ? []
    : declaredNames(code.program).flatMap(({ name, start }) => {
        const isAllowed = allowedNames.some((allowed) => allowed.name.test(name) && allowed.path.test(path));
        const found = isAllowed ? undefined : bannedIn(name);
        return found === undefined
          ? []
          : [{ path, line: source.slice(0, start).split('\n').length, phrase: name, instead: found.instead }];
      });
}

function bannedIn(name: string) {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]/u);
  return bannedWords.find(({ pattern }) => words.some((word) => pattern.test(word.toLowerCase())));
}
