import { describe, expect, it } from '@jest/globals';
import { PlannerBusyError } from '@meridian/executor';
import { createLogger } from '@meridian/telemetry';

import { toRequestError } from '../../src/errors/to-request-error.ts';

const log = createLogger({ service: 'gateway', level: 'silent' });

describe('toRequestError', () => {
  it('sends Retry-After when too many operations wait to be planned', () => {
    expect(toRequestError(new PlannerBusyError(), log)).toMatchObject({
      code: 'SERVICE_OVERLOADED',
      headers: { 'Retry-After': '1' },
    });
  });
});
