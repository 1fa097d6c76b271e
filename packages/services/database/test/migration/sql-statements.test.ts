import { describe, expect, it } from '@jest/globals';

import { sqlStatements } from '../../src/migration/sql-statements.ts';

describe('sqlStatements', () => {
  it.each([
    ['texts', `select 'a;''b', "c;""d"; select 2`],
    ['texts with escapes', String.raw`select E'it\'s; ''\\', e';' ; select 2`],
    ['a name that ends with e before a text', String.raw`select type'\' ; select 2`],
    ['texts in dollars', `do $$ begin; $x$ ; $x$ end $$; select 2`],
    ['a name with dollars', `select a$b$ ; select 2`],
    ['parameters', `prepare p as select $1 ; select $2`],
    ['comments to the end of a line', `select 1 -- a; ' $$\n; select 2`],
    ['nested comments', `/* a; /* ' */ ; */ select 1; select 2`],
    ['parentheses', `create rule r as on insert to t do (select 1; select 2); select 2`],
    [
      'the body of a function',
      `create or replace function f() returns int begin atomic select case 1 when 1 then 2 end; select 3; end; select 2`,
    ],
    ['a transaction, which has an end of its own', `begin; select 2`],
  ])('splits a script at its semicolons, not in %s', (_, script) => {
    const statements = sqlStatements(script);
    expect(statements).toHaveLength(2);
    expect(statements.join('')).toBe(script);
    expect(statements[1]).toMatch(/^ select (?:2|\$2)$/u);
  });

  it.each([`select 'a;`, `select E'a\\`, `/* a; /* */`, `do $a$ ; $b$`, `select "a;`, `-- a;`])(
    'takes the unfinished %j for one statement, which PostgreSQL rejects',
    (script) => {
      expect(sqlStatements(script)).toEqual([script]);
    },
  );
});
