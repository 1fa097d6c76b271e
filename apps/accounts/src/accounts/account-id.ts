// An account's identifier, where a body or a path has one.
import { jsonSchemaOf, text } from '@meridian/json';
import type { PathParameter } from '@meridian/rest/openapi';

import { accountIdPattern, maxAccountIdLength } from './account.ts';

export const accountIdSchema = text({
  pattern: accountIdPattern,
  maxLength: maxAccountIdLength,
  takes: '1 to 128 characters of A-Z, a-z, 0-9, "_", ".", "~" and "-", and neither "." nor ".."',
  description: 'Unique among the accounts of the tenant.',
  examples: ['savings'],
});

export const accountIdParameter: PathParameter<'id'> = {
  name: 'id',
  in: 'path',
  isRequired: true,
  description: 'The identifier of the account.',
  schema: jsonSchemaOf(accountIdSchema),
};
