import { hash } from 'node:crypto';

import { appNames, operationKey } from '@meridian/manifest';

import type { Manifest, ManifestOperation } from './manifest.ts';
import { createManifest, manifestOperation } from './manifest.ts';
import type { ManifestFiles } from './read-files.ts';

/** An identifier to which a file gives another text than the one it is bound to. */
export interface ChangedText {
  readonly file: string;
  readonly id: string;
  readonly operation: string;
}

export interface AssembledManifest {
  readonly manifest: Manifest;
  readonly changedTexts: readonly ChangedText[];
}

/**
 * Makes one manifest of the operations in files. An identifier is bound to one text for ever, because released
 * clients expect its response. So it keeps its previous text; among files, the first one wins.
 * A file is of the app that it names, or else after which it is named.
 *
 * @param textBefore the text that an identifier, by its key, is bound to so far
 */
export function assembleManifest(
  files: ManifestFiles,
  textBefore: (key: string) => string | undefined,
): AssembledManifest {
  const byKey = new Map<string, ManifestOperation>();
  const changedTexts: ChangedText[] = [];
  const names = appNames([...files.keys()]);
  for (const [file, { operations }] of files) {
    for (const operation of operations) {
      const key = operationKey(operation.id, operation.clientName);
      const text = byKey.get(key)?.text ?? textBefore(key) ?? operation.text;
      if (text !== operation.text) {
        changedTexts.push({ file, id: operation.id, operation: operation.name });
      }
      const apps = new Set(byKey.get(key)?.apps).add(operation.app?.name ?? names.get(file) ?? file);
      byKey.set(key, manifestOperation(byKey.get(key) ?? operation, text, [...apps]));
    }
  }
  return {
    manifest: createManifest(byKey, hash('sha256', Array.from(files.values(), ({ text }) => text).join(''))),
    changedTexts,
  };
}
