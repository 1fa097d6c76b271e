import { readFileSync } from 'node:fs';

import { AppFileError, readMembers } from '@meridian/apps';
import { CommandError } from '@meridian/command-line';

import { reportFaults } from '../report-faults.ts';
import { folderFaults, registrationFaults } from './app-faults.ts';
import { registrations } from './registrations.ts';

/**
 * Checks the files that list apps against the app.yaml of each.
 *
 * @throws {CommandError} when an app.yaml cannot be read
 */
export function checkApps(): void {
  const apps = readAppsOrFail();
  const faults = [
    ...folderFaults('.', apps),
    ...registrationFaults(apps, registrations, (file) => readFileSync(file, 'utf8')),
  ];
  reportFaults(faults, `apps: ${apps.length} apps, ${registrations.length} lists, ${faults.length} faults`);
}

function readAppsOrFail(): ReturnType<typeof readMembers> {
  try {
    return readMembers('.');
  } catch (error) {
    throw error instanceof AppFileError ? new CommandError(error.message, { cause: error }) : error;
  }
}
