import http from 'node:http';
import { isBuiltin } from 'node:module';
import { sep } from 'node:path';

import type { OutputChunk, Plugin } from 'rolldown';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

import type { Publication } from './publications.ts';
import { releaseConfig } from './release-config.ts';

/** A publication as JavaScript and types. */
export interface Bundle {
  /** The packages that its modules import, and that are outside. */
  readonly imported: ReadonlySet<string>;
  /** The modules that went into it, as paths. */
  readonly modules: readonly string[];
}

/**
 * Bundles a publication into a folder: a file for each entry, with what they share beside them, and their types. Other
 * packages of the workspace are inlined, unless they are published themselves.
 *
 * @param root of the workspace
 */
export async function bundle(publication: Publication, root: string, folder: string): Promise<Bundle> {
  const build = await rolldown({
    cwd: root,
    input: { ...entriesOf(publication), ...publication.threads },
    platform: 'node',
    // A module of ours does nothing by being imported, so that unused parts of it are left out.
    treeshake: {
      moduleSideEffects: (id, isExternal) => !isExternal && id.includes(`${sep}node_modules${sep}`),
    },
    plugins: [
      isProgram(publication) && withoutWebSocket,
      resolveImports(publication),
      hasTypes(publication) &&
        dts({ cwd: root, tsconfig: 'tsconfig.published.json', generator: 'tsgo', logger: silent }),
      withoutRuntimeInTypes,
    ],
    onLog(level, log, handle) {
      if (level === 'warn' && log.id?.includes('node_modules') === false) {
        handle('error', log);
      }
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    // An entry keeps its name, whatever the modules are called that it shares.
    chunkFileNames: 'shared-[name].js',
    // Stack traces stay readable; comments are for the sources.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  return {
    imported: importedBy(chunks),
    modules: chunks.flatMap(({ modules }) => Object.keys(modules)),
  };
}

/** Name of the file in `dist` → its source. */
function entriesOf({ exports, bin }: Publication): Readonly<Record<string, string>> {
  const entries = [...Object.entries(exports), ...Object.entries(bin)];
  return Object.fromEntries(entries.map(([subpath, source]) => [entryName(subpath), source]));
}

/** `.` is `index`, `./service` is `service`; a program keeps its name. */
export function entryName(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.replace(/^\.\//u, '');
}

/** The package of a module: `@scope/name/sub/path` is of `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const isProgram = ({ bin }: Publication): boolean => Object.keys(bin).length > 0;

const hasTypes = ({ exports }: Publication): boolean => Object.keys(exports).length > 0;

const silent = { info() {}, warn() {}, error() {} };

const httpModule = '\0meridian:http';

/**
 * Takes `node:http` as an object. An import statement reads every export of a module of Node, and `WebSocket` is one of
 * this: it loads the whole of `fetch`, 40 ms that no start needs.
 */
const withoutWebSocket: Plugin = {
  name: 'meridian:without-web-socket',
  resolveId: (id, _importer, { kind }) =>
    id === 'node:http' && kind === 'import-statement' ? { id: httpModule, moduleSideEffects: false } : null,
  load(id) {
    if (id !== httpModule) {
      return null;
    }
    const names = Object.keys(http).filter(
      (name) => !['CloseEvent', 'MessageEvent', 'WebSocket'].includes(name),
    );
    return [
      "const http = process.getBuiltinModule('node:http');",
      'export default http;',
      ...names.map((name) => `export const ${name} = http.${name};`),
    ].join('\n');
  },
};

/** Says of each import by name whether it is outside, and what it is called there. */
function resolveImports({ name, leavesOutside }: Publication): Plugin {
  return {
    name: 'meridian:resolve-imports',
    resolveId(id, importer) {
      if (importer === undefined || id.startsWith('.') || id.startsWith('/') || isBuiltin(id)) {
        return null;
      }
      if (id === '@meridian/pages/explorer') {
        // Bundled with the program, so that it works without GraphiQL and esbuild.
        return this.resolve('@meridian/pages/explorer/bundled', importer);
      }
      const owner = packageOf(id);
      const published = releaseConfig.names[owner];
      if (published !== undefined && owner !== name && leavesOutside === undefined) {
        return { id: published + id.slice(owner.length), external: true };
      }
      const isOutside = leavesOutside?.includes(owner) ?? !owner.startsWith('@meridian/');
      return isOutside ? { id, external: true } : null;
    },
  };
}

/** Takes the import of the bundler's own functions out of types, where it means nothing. */
const withoutRuntimeInTypes: Plugin = {
  name: 'meridian:without-runtime-in-types',
  renderChunk: (code, { fileName }) =>
    fileName.endsWith('.d.ts') ? code.replace(/^import "\.\/shared-rolldown-runtime\.js";\n/mu, '') : null,
};

/** The packages that these import: neither of Node, nor one of them. */
function importedBy(chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const specifiers = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  return new Set(
    specifiers.filter((specifier) => !own.has(specifier) && !isBuiltin(specifier)).map(packageOf),
  );
}
