import { readFileSync } from 'node:fs';

import { readMembers } from '@meridian/local-stack/apps';

import { reportFaults } from '../report-faults.ts';
import { folderFaults, registrationFaults } from './app-faults.ts';
import { registrations } from './registrations.ts';

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
