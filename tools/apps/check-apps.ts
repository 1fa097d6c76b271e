import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { appFile, isExternal, readMembers } from '@meridian/local-stack/apps';
import type { Member } from '@meridian/local-stack/apps';

import { reportFaults } from '../report-faults.ts';
import { registrations } from './registrations.ts';
import type { Registration } from './registration.ts';

/**
 * Checks the files that list apps against the app.yaml of each.
 *
 * @throws {AppFileError} when an app.yaml cannot be read
 */
export function checkApps(): void {
  const apps = readMembers('.');
  const faults = [
    ...folderFaults('.', apps),
    ...registrationFaults(apps, registrations, (file) => readFileSync(file, 'utf8')),
  ];
  reportFaults(faults, `apps: ${apps.length} apps, ${registrations.length} lists, ${faults.length} faults`);
}

/**
 * Compares the apps with the lists that must have them, both ways. Each fault begins with its file, and ends with what
 * to do.
 */
export function registrationFaults(
  apps: readonly Member[],
  registrations: readonly Registration[],
  read: (file: string) => string,
): string[] {
  return registrations.flatMap((registration) => {
    const { file, place, otherwise } = registration;
    const text = read(file);
    const names = registration.namesIn(text);
    const wanted = apps.filter((app) => registration.takes(app));
    return [
      ...wanted
        .filter(({ name }) => !names.includes(name))
        .map(
          (app) =>
            `${file}: ${place} lacks ${app.name}, so ${otherwise}. Add:\n${registration
              .linesOf(app)
              .map((line) => `    ${line}`.trimEnd())
              .join('\n')}`,
        ),
      ...names
        .filter((name) => wanted.every((app) => app.name !== name))
        .map((name) => `${file}: ${place} has ${name}, but ${reasonToRemove(apps, name)}. Remove it`),
      ...wanted
        .filter(({ name }) => names.includes(name))
        .flatMap((app) => registration.faultOf(text, app) ?? [])
        .map((fault) => `${file}: ${fault}`),
    ];
  });
}

function reasonToRemove(apps: readonly Member[], name: string): string {
  const app = apps.find((one) => one.name === name);
  if (app === undefined) {
    return `there is no apps/${name}/${appFile}`;
  }
  return isExternal(app)
    ? `${name} runs elsewhere by apps/${name}/${appFile}, and does not belong there`
    : `apps/${name} is a ${app.kind}, and does not belong there`;
}

/** Checks what an app's own folder must have. */
export function folderFaults(checkout: string, apps: readonly Member[]): string[] {
  return apps.flatMap((app) => {
    const folder = `apps/${app.name}`;
    const has = (path: string): boolean => existsSync(join(checkout, folder, path));
    if (isExternal(app)) {
      return has('schema.graphql')
        ? []
        : [`${folder}/schema.graphql is missing: it is the schema that ${app.url} serves`];
    }
    const { name, kind, port, adminPort } = app;
    const needed = [
      'package.json',
      'src/main.ts',
      ...(kind === 'subgraph' ? ['schema.graphql', 'src/seed.ts', 'src/generate.ts'] : []),
    ];
    const faults = needed.filter((path) => !has(path)).map((path) => `${folder}/${path} is missing`);
    if (globSync('test/**/*.test.ts', { cwd: join(checkout, folder) }).length === 0) {
      faults.push(`${folder} has no test: add ${folder}/test/${name}.test.ts`);
    }
    const config = has('src/config.ts')
      ? readFileSync(join(checkout, folder, 'src/config.ts'), 'utf8')
      : undefined;
    if (config?.includes(`port: ${port}, adminPort: ${adminPort}`) === false) {
      faults.push(
        `${folder}/src/config.ts: by ${folder}/${appFile} the defaults are port: ${port}, adminPort: ${adminPort}`,
      );
    }
    return faults;
  });
}
