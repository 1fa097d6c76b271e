import { CommandError, counted } from '@meridian/command-line';
import type { ListedOperation } from '@meridian/manifest';
import { ManifestError, findManifests, operationKey, readManifest } from '@meridian/manifest';
import type { GraphQLSchema } from 'graphql';
import { GraphQLError, Source, parse, validate } from 'graphql';

import { readClientSchema } from './read-client-schema.ts';

/**
 * `pnpm manifest check`: checks that manifests can be read, and that their operations fit the schema.
 *
 * @throws {CommandError} with every fault
 */
export function checkManifests(paths: readonly string[], schemaFile: string): void {
  const schema = readClientSchema(schemaFile);
  const manifests = findManifests(paths).map(readOrFault);
  const faults = [
    ...manifests.flatMap(({ fault }) => fault ?? []),
    ...textConflicts(manifests),
    ...manifests.flatMap(({ file, operations }) =>
      operations.flatMap((operation) => operationFaults(file, operation, schema)),
    ),
  ];
  if (faults.length > 0) {
    throw new CommandError(faults.join('\n\n'));
  }
  for (const { file, operations } of manifests) {
    process.stdout.write(`${file}: ${counted(operations.length, 'operation')}, valid for ${schemaFile}\n`);
  }
}

interface CheckedFile {
  readonly file: string;
  readonly operations: readonly ListedOperation[];
  /** The reason why it cannot be read. */
  readonly fault?: string;
}

function readOrFault(file: string): CheckedFile {
  try {
    return { file, operations: readManifest(file).operations };
  } catch (error) {
    if (error instanceof ManifestError) {
      return { file, operations: [], fault: error.message };
    }
    throw error;
  }
}

/** Identifiers with different texts in different files. */
function textConflicts(manifests: readonly CheckedFile[]): string[] {
  const known = new Map<string, { readonly file: string; readonly text: string }>();
  const faults: string[] = [];
  for (const { file, operations } of manifests) {
    for (const { id, clientName, text } of operations) {
      const key = operationKey(id, clientName);
      const first = known.get(key) ?? { file, text };
      known.set(key, first);
      if (first.text !== text) {
        faults.push(`${file}: the identifier ${JSON.stringify(id)} has another text in ${first.file}`);
      }
    }
  }
  return faults;
}

function operationFaults(file: string, { id, name, text }: ListedOperation, schema: GraphQLSchema): string[] {
  const shown = `${file}: ${name === '' ? 'an anonymous operation' : name} (${id})`;
  try {
    return validate(schema, parse(new Source(text, name))).map((error) => `${shown}\n${error.toString()}`);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return [`${shown}\n${error.toString()}`];
    }
    throw error;
  }
}
