import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { startAccounts } from '../../running-accounts.ts';
import type { RunningAccounts } from '../../running-accounts.ts';
import { followEvents } from './follow-events.ts';
import type { FollowedEvent, FollowedStream } from './follow-events.ts';

interface Page {
  items: FollowedEvent[];
  next_cursor: string;
}

let accounts: RunningAccounts;
const open: FollowedStream[] = [];

beforeAll(async () => {
  accounts = await startAccounts({ requestDeadlineMs: 1000 });
});
afterAll(async () => {
  for (const stream of open) {
    stream.leave();
  }
  await accounts.stop();
});

async function read(query: string, who?: Parameters<RunningAccounts['client']>[0]): Promise<Page> {
  const response = await accounts.client(who).get(`/events?${query}`).expect(200);
  return JSON.parse(response.text) as Page;
}

/** The place after all events. */
async function endOfLog(who?: Parameters<RunningAccounts['client']>[0]): Promise<string> {
  for (let cursor = ''; ;) {
    const page = await read(`limit=100${cursor}`, who);
    cursor = `&after=${page.next_cursor}`;
    if (page.items.length === 0) {
      return page.next_cursor;
    }
  }
}

async function post(path = '/accounts', body = '{"balance_minor_units":10}'): Promise<string> {
  const response = await accounts.client().post(path).send(body).expect(201);
  return response.headers['location'] ?? '';
}

async function follow(
  target: string,
  headers: Readonly<Record<string, string>> = { Authorization: accounts.authorizationOf() },
): Promise<FollowedStream> {
  const stream = await followEvents(accounts.url + target, headers);
  open.push(stream);
  return stream;
}

const subjectsOf = (events: readonly FollowedEvent[]): string[] => events.map(({ subject }) => subject);

/** Ends the time of a hold. */
const expire = async (hold: string): Promise<void> =>
  void (await accounts.admin.query('update holds set expires_at = now() where id = $1', [
    hold.slice('/holds/'.length),
  ]));

describe('GET /events?wait', () => {
  it('holds an empty page back until there is an event, however long a request may take', async () => {
    const start = await endOfLog();
    const startedMs = performance.now();
    const waiting = read(`wait=30&after=${start}`);
    // Longer than the deadline of a request.
    await expect(read(`wait=2&after=${start}`)).resolves.toMatchObject({ items: [] });
    expect(performance.now() - startedMs).toBeGreaterThan(1900);
    const account = await post();
    const { items, next_cursor: cursor } = await waiting;
    expect(subjectsOf(items)).toEqual([account]);
    expect(performance.now() - startedMs).toBeLessThan(25_000);
    expect((await read(`after=${cursor}`)).items).toEqual([]);
  });

  it('holds back nothing where there are events, and gives a page at most', async () => {
    const start = await endOfLog();
    const made = [await post(), await post(), await post()];
    const first = await read(`wait=30&limit=2&after=${start}`);
    expect(subjectsOf(first.items)).toEqual(made.slice(0, 2));
    const second = await read(`wait=30&limit=2&after=${first.next_cursor}`);
    expect(subjectsOf(second.items)).toEqual(made.slice(2));
  });

  it('goes on from where an empty page ended', async () => {
    let cursor = await endOfLog();
    await post();
    ({ next_cursor: cursor } = await read(`after=${cursor}`));
    ({ next_cursor: cursor } = await read(`wait=1&after=${cursor}`));
    const account = await post();
    expect(subjectsOf((await read(`wait=30&after=${cursor}`)).items)).toEqual([account]);
  });

  it('tells of an expired hold without a write', async () => {
    const account = await post();
    const hold = await post(`${account}/holds`, '{"amount_minor_units":5}');
    const waiting = read(`wait=30&type=hold.expired&subject=${hold}`);
    await expire(hold);
    expect(subjectsOf((await waiting).items)).toEqual([hold]);
  });

  it.each(['wait=31', 'wait=-1', 'wait=x', 'wait=', 'wait=1.5', 'wait=1&wait=2'])(
    'takes no %s',
    async (query) => {
      await accounts.client().get(`/events?${query}`).expect(400);
    },
  );

  it('tells a tenant nothing of another', async () => {
    const start = await endOfLog({ tenant: 'globex' });
    const waiting = read(`wait=2&after=${start}`, { tenant: 'globex' });
    await post();
    expect((await waiting).items).toEqual([]);
  });
});

describe('GET /events as text/event-stream', () => {
  it('has each event with its cursor, and goes on with those that come', async () => {
    const start = await endOfLog();
    const first = await post();
    const stream = await follow(`/events?after=${start}`);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, max-age=0, must-revalidate',
      'x-accel-buffering': 'no',
      vary: 'Accept',
      ratelimit: expect.stringMatching(/^"tenant";r=\d+;t=1$/u),
      'ratelimit-policy': '"tenant";q=10000;w=1',
    });
    expect(stream.response.headers.get('content-length')).toBeNull();
    await stream.reaches(1);
    const second = await post();
    const events = await stream.reaches(2);
    expect(subjectsOf(events)).toEqual([first, second]);
    expect(stream.text()).toMatch(/^retry: 2000\n\nid: [\w-]+\ndata: \{"specversion":"1.0",/u);

    const { items } = await read(`after=${start}`);
    expect(events.map(({ cursor: _cursor, ...event }) => event)).toEqual(items);
    expect(subjectsOf((await read(`after=${events[0]?.cursor ?? ''}`)).items)).toEqual([second]);
  });

  it('begins at the end of the log with after=now, and names that place before any event', async () => {
    await post();
    const stream = await follow('/events?after=now&type=account.created');
    await eventually(() => expect(stream.text()).toMatch(/^retry: 2000\nid: [\w-]+\n\n/u));
    const start = /^id: (?<id>.+)$/mu.exec(stream.text())?.groups?.['id'] ?? '';
    const next = await post();
    expect(subjectsOf(await stream.reaches(1))).toEqual([next]);
    const again = await follow('/events?after=now&type=account.created', {
      Authorization: accounts.authorizationOf(),
      'Last-Event-ID': start,
    });
    expect(subjectsOf(await again.reaches(1))).toEqual([next]);
    await accounts
      .client()
      .get('/events')
      .set({ Accept: 'text/event-stream', 'Last-Event-ID': 'now' })
      .expect(400);
  });

  it('goes on after Last-Event-ID, which counts more than after', async () => {
    const start = await endOfLog();
    const [first, second] = [await post(), await post()];
    const [event] = await (await follow(`/events?after=${start}`)).reaches(2);
    const again = await follow(`/events?after=${start}`, {
      Authorization: accounts.authorizationOf(),
      'Last-Event-ID': event?.cursor ?? '',
    });
    expect(subjectsOf(await again.reaches(1))).toEqual([second]);
    const whole = await follow(`/events?after=${start}`, {
      Authorization: accounts.authorizationOf(),
      'Last-Event-ID': '',
    });
    expect(subjectsOf(await whole.reaches(2))).toEqual([first, second]);
    for (const id of ['x', start.toUpperCase()]) {
      await accounts
        .client()
        .get('/events')
        .set({ Accept: 'text/event-stream', 'Last-Event-ID': id })
        .expect(400);
    }
  });

  it('filters as pages do', async () => {
    const start = await endOfLog();
    const page = await read(`type=hold.created&after=${(await read('type=hold.created')).next_cursor}`);
    expect(page.items).toEqual([]);
    const stream = await follow(`/events?type=hold.created&after=${page.next_cursor}`);
    const account = await post();
    const hold = await post(`${account}/holds`, '{"amount_minor_units":5}');
    expect(subjectsOf(await stream.reaches(1))).toEqual([hold]);
    expect(start).not.toBe('');
  });

  it('has a comment where nothing comes for 15 s', async () => {
    const stream = await follow(`/events?after=${await endOfLog()}`);
    const startedMs = performance.now();
    await eventually(() => expect(stream.text()).toMatch(/\n\n:\n/u));
    expect(performance.now() - startedMs).toBeGreaterThan(14_000);
  });

  it('ends in order when the token expires', async () => {
    const token = await accounts.token({ ttlSeconds: 2 });
    const stream = await follow(`/events?after=${await endOfLog()}`, { Authorization: `Bearer ${token}` });
    await stream.ended;
    expect(stream.response.status).toBe(200);
  });

  it('takes neither limit nor wait, and is not sent for HEAD', async () => {
    for (const query of ['limit=1', 'wait=1']) {
      await accounts.client().get(`/events?${query}`).set({ Accept: 'text/event-stream' }).expect(400);
    }
    const head = await accounts.client().head('/events').set({ Accept: 'text/event-stream' }).expect(200);
    expect(head.headers['content-type']).toBe('text/event-stream');
  });

  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
    ['application/json, text/event-stream;q=0.5', 'application/json'],
    ['*/*', 'application/json'],
  ])('is chosen by Accept: %s', async (accept, mediaType) => {
    const response = await accounts.client().head('/events').set({ Accept: accept }).expect(200);
    expect(response.headers['content-type']).toBe(mediaType);
  });

  it('is not available as anything else', async () => {
    await accounts.client().get('/events').set({ Accept: 'text/html' }).expect(406);
  });
});
