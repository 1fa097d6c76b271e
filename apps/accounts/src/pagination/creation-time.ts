import type { IncomingMessage } from 'node:http';

import { queryParameter } from '@meridian/rest/openapi';

import { utcMoment } from './time-type.ts';

/** The time in which what a collection lists was created; a missing bound does not bound it. */
export interface CreationTime {
  /** Inclusive. */
  readonly createdAfter: string | undefined;
  /** Exclusive. */
  readonly createdBefore: string | undefined;
}

const createdAfter = queryParameter('created_after', {
  description: 'Only what was created at this moment or later.',
  type: utcMoment,
});

const createdBefore = queryParameter('created_before', {
  description: 'Only what was created before this moment.',
  type: utcMoment,
});

export const creationTimeParameters = [createdAfter, createdBefore];

/** @throws {Problem} `invalid-parameter` */
export function creationTimeOf(request: IncomingMessage): CreationTime {
  return { createdAfter: createdAfter.of(request), createdBefore: createdBefore.of(request) };
}
