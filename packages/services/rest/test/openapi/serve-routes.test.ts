import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';

import { createNotesApp } from './notes-app.ts';

const client = supertest(createNotesApp());
const reader = { Authorization: 'Bearer accounts.read' };

describe('serveRoutes', () => {
  it('serves an operation to tokens with its scope, behind the throttle and the limit of load', async () => {
    await client.get('/notes/a').expect(401);
    const response = await client.get('/notes/a').set(reader).expect(200);
    expect(response.text).toBe('a');
    expect(response.headers['passed']).toBe('throttle, limit-load');
    await client.post('/notes').set(reader).expect(403);
    await client.post('/notes').set('Authorization', 'Bearer accounts.write').expect(200);
  });

  it('sends Vary: Accept where Accept chooses the representation, and nowhere else', async () => {
    const response = await client.get('/notes/a').set(reader);
    expect(response.headers).toMatchObject({ vary: 'Accept' });
    expect((await client.get('/notes').set(reader)).headers).not.toHaveProperty('vary');
  });

  it('announces a retired operation in every response (RFC 9745, RFC 8594)', async () => {
    const announced = { deprecation: '@1793491200', sunset: 'Mon, 01 Nov 2027 00:00:00 GMT' };
    expect((await client.get('/note').set(reader).expect(200)).headers).toMatchObject(announced);
    expect((await client.get('/note').expect(401)).headers).toMatchObject(announced);
    expect((await client.get('/notes').set(reader)).headers).not.toHaveProperty('deprecation');
  });

  it('announces a retired representation where Accept chooses it', async () => {
    const plain = await client.get('/notes/a').set(reader).set('Accept', 'text/plain').expect(200);
    expect(plain.headers).toMatchObject({
      deprecation: '@1793491200',
      link: '<https://notes.example/json>; rel="deprecation"',
    });
    expect((await client.get('/notes/a').set(reader)).headers).not.toHaveProperty('deprecation');
  });

  it('answers 405 with Allow to a method that the table does not have', async () => {
    const response = await client.put('/notes').expect(405);
    expect(response.headers['allow']).toBe('GET, HEAD, POST');
  });
});

describe('queryParameter', () => {
  const list = (query: string) => client.get(`/notes${query}`).set(reader);

  it.each([
    ['', 'undefined'],
    ['?limit=7', '7'],
    ['?other=1&limit=%37', '7'],
  ])('reads %s as %s', async (query, value) => {
    expect((await list(query).expect(200)).text).toBe(value);
  });

  it.each([
    ['?limit=', 'limit is not a whole number from 1 up'],
    ['?limit=0', 'limit is not a whole number from 1 up'],
    ['?limit=1&limit=1', 'limit is given more than once'],
  ])('answers 400 invalid-parameter to %s: %s', async (query, fault) => {
    const response = await list(query).expect(400);
    expect(JSON.parse(response.text)).toEqual({
      type: 'https://notes.example/problems/invalid-parameter',
      status: 400,
      detail: `Cannot read the query: ${fault}.`,
    });
  });
});
