import { describe, expect, it } from '@jest/globals';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';

const app = createExampleApp();

describe('authenticate', () => {
  it('answers 401 with a challenge to a request without a token', async () => {
    const response = await request(app).get('/mine');
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="meridian"');
    expect(response.body).toMatchObject({ type: 'https://api.example/problems/authentication-required' });
  });

  it('stores the caller with the request', async () => {
    const response = await request(app).get('/mine').auth('reader', { type: 'bearer' });
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: 'acme' });
  });
});

describe('requireScope', () => {
  it('answers 403 and names the scope when the token lacks it', async () => {
    const response = await request(app).get('/mine').auth('other', { type: 'bearer' });
    expect(response.status).toBe(403);
    expect(response.headers['www-authenticate']).toBe(
      'Bearer realm="meridian", error="insufficient_scope", scope="accounts:read"',
    );
  });
});
