// The READMEs of the npm packages: their examples compile, and they import each subpath of a package.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';

import { publications } from '../../release/publications.ts';
import { publishedName } from '../../release/published-manifest.ts';
import { publishedReadme } from '../../release/build-package.ts';
import { readmePrograms } from './readme-programs.ts';

/** Pages with programs of users, who have the gateway installed. */
const pages = ['docs/hooks.md', 'docs/rhai-scripts.md'].map((readme) => ({ folder: 'apps/gateway', readme }));

const root = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('The programs of a README', () => {
  it('start with an import, and go on in the blocks below', () => {
    const blocks = ['import "a";\n', 'b();\n', 'import "c";\n'].map((code) => `\`\`\`ts\n${code}\`\`\`\n`);
    expect(readmePrograms(`# A\n\n${blocks.join('\ntext\n\n')}`)).toEqual([
      'import "a";\nb();\n',
      'import "c";\n',
    ]);
  });
});

describe('The README of each npm package, and the pages on hooks,', () => {
  it('have examples that compile', () => {
    const directory = mkdtempSync(join(tmpdir(), 'meridian-readmes-'));
    for (const { folder, readme } of [...publications, ...pages]) {
      const own = join(directory, readme.replaceAll('/', '-'));
      mkdirSync(own);
      // An example imports from npm only what its package has installed.
      symlinkSync(join(root, folder, 'node_modules'), join(own, 'node_modules'));
      readmePrograms(textOf(readme)).forEach((program, index) =>
        writeFileSync(join(own, `example-${index + 1}.mts`), `${program}\nexport {};\n`),
      );
    }
    const file = join(directory, 'tsconfig.json');
    const compilerOptions = {
      noUnusedLocals: false,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        'meridian-gateway/hooks': [join(root, 'apps/gateway/src/hooks/hooks.ts')],
        '@meridian/executor/*': [join(root, 'packages/graph/executor/src/*.ts')],
        '@meridian/*': ['core', 'services', 'graph'].map((shelf) =>
          join(root, `packages/${shelf}/*/src/index.ts`),
        ),
      },
    };
    writeFileSync(
      file,
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*/*.mts'] }),
    );
    expect(compile(file)).toBe('');
    rmSync(directory, { recursive: true });
  });

  it.each(publications.map((publication) => ({ name: publishedName(publication), publication })))(
    'imports each subpath of $name in an example',
    ({ name, publication: { exports, readme } }) => {
      const text = publishedReadme(textOf(readme));
      const missing = Object.keys(exports).filter(
        (subpath) => !text.includes(`from '${name}${subpath.slice(1)}'`),
      );
      expect(missing).toEqual([]);
    },
  );
});

/** Runs the compiler, and returns its complaints. */
function compile(project: string): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}
