import { registerHooks } from 'node:module';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { fingerprintFiles } from '../reload/watch-files.ts';

const parameter = 'meridian-hooks';
const version = /[?&]meridian-hooks=(\d+)/u;

/** The files of one loading, as they were before they were read. */
export interface LoadedFiles {
  /** The URLs of files that belong to no package, and their fingerprints. */
  readonly fingerprints: Map<string, string>;
}

const loadings = new Map<string, LoadedFiles>();
let count = 0;
let isRegistered = false;

/**
 * Imports a module anew, with the modules that it imports, but for packages: Node keeps each module by its URL, so each
 * loading has a parameter of its own there. The modules of earlier loadings stay in the memory of the process.
 *
 * @param folder where relative paths and packages are looked for
 * @param files gets the files, also where the import fails
 */
export async function importAnew(specifier: string, folder: string, files: LoadedFiles): Promise<unknown> {
  register();
  const loading = String((count += 1));
  loadings.set(loading, files);
  try {
    const parent = new URL(`router.yaml?${parameter}=${loading}`, pathToFileURL(`${folder}/`));
    // A path may have characters that mean something else in a URL.
    const isPath = specifier.startsWith('.') || isAbsolute(specifier);
    const wanted = isPath ? pathToFileURL(resolve(folder, specifier)).href : specifier;
    return await import(`${entry}${JSON.stringify([wanted, parent.href])}`);
  } finally {
    // A module that they import later is loaded anew too, but not watched.
    loadings.delete(loading);
  }
}

/** Before what the resolver below reads: Node would take the module that imports as the parent. */
const entry = 'meridian-hooks:';

function register(): void {
  if (isRegistered) {
    return;
  }
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const [wanted, parentURL] = specifier.startsWith(entry)
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `importAnew` wrote it
          (JSON.parse(specifier.slice(entry.length)) as [string, string])
        : [specifier, context.parentURL];
      const [, loading] = version.exec(parentURL ?? '') ?? [];
      const resolved = nextResolve(wanted, { ...context, ...(parentURL !== undefined && { parentURL }) });
      const { url } = resolved;
      if (loading === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) {
        return resolved;
      }
      loadings.get(loading)?.fingerprints.set(url, fingerprintFiles([fileURLToPath(url)]));
      // A folder without a package.json says nothing about its files.
      const format = resolved.format ?? (/\.m?ts$/u.test(url) ? 'module-typescript' : 'module');
      return { ...resolved, format, url: `${url}?${parameter}=${loading}` };
    },
  });
}
