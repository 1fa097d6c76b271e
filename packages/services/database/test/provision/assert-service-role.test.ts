import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { assertServiceRole, UnsafeServiceRole } from '../../src/index.ts';
import { connectNotes, createNotesDatabase, testServerUrl, withSetting } from '../notes-database.ts';
import type { NotesDatabase } from '../notes-database.ts';

describe('assertServiceRole', () => {
  let notes: NotesDatabase;

  beforeAll(async () => {
    notes = await createNotesDatabase();
    await notes.admin.query(`
      do $$ begin
        create role meridian_bypassing login password 'service' bypassrls;
        create role meridian_owning login password 'service';
        create role meridian_member login password 'service' in role meridian_owning;
      exception when duplicate_object then null;
      end $$;
      create table owned ();
      alter table owned owner to meridian_owning;`);
    const { rows } = await notes.admin.query<{ name: string }>(
      'select quote_ident(current_database()) as name',
    );
    await notes.admin.query(
      `grant connect on database ${rows[0]?.name} to meridian_bypassing, meridian_owning`,
    );
  });

  afterAll(() => notes.close());

  async function assertRole(role: string): Promise<void> {
    const url = new URL(notes.directUrl);
    url.username = role;
    const database = connectNotes(url.href);
    try {
      await assertServiceRole(database);
    } finally {
      await database.close();
    }
  }

  it('accepts a role that provisionDatabase created', async () => {
    await expect(assertServiceRole(notes.database)).resolves.toBeUndefined();
  });

  it('refuses a superuser', async () => {
    const url = new URL(await testServerUrl());
    url.pathname = new URL(notes.url).pathname;
    const database = connectNotes(url.href);
    await expect(assertServiceRole(database)).rejects.toThrow(
      new UnsafeServiceRole(
        'The database role postgres is a superuser, so row-level security would not bind it: a service needs a role of its own that owns nothing',
      ),
    );
    await database.close();
  });

  it.each([
    ['meridian_bypassing', 'has BYPASSRLS'],
    ['meridian_owning', 'owns tables'],
    ['meridian_member', 'owns tables'],
  ])('refuses %s, which %s', async (role, fault) => {
    await expect(assertRole(role)).rejects.toThrow(`The database role ${role} ${fault}, `);
  });

  it.each([
    ['DateStyle', 'SQL', 'ISO'],
    ['row_security', 'off', 'on'],
    ['search_path', 'pg_catalog', 'public'],
  ])('refuses the setting %s = %s', async (name, setting, needed) => {
    const database = connectNotes(withSetting(notes.directUrl, name, setting));
    await expect(assertServiceRole(database)).rejects.toThrow(
      new RegExp(
        `^The database role meridian_notes has the setting ${name} = "${setting}.* needs "${needed}"$`,
        'u',
      ),
    );
    await database.close();
  });
});
