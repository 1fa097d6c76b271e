import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import { composeFaults } from '../../docker/compose-faults.ts';
import type { Deployment } from '../../docker/deployment.ts';
import { dockerfileFaults } from '../../docker/dockerfile-faults.ts';

describe('dockerfileFaults', () => {
  it('finds none in a valid Dockerfile', () => {
    expect(dockerfileFaults('FROM node:24-slim\nCMD ["node"]\n')).toEqual([]);
  });

  it('names the line of an unknown instruction', () => {
    expect(dockerfileFaults('FROM node:24-slim\nRUNN true\n')).toEqual(['2: Unknown instruction: RUNN']);
  });

  it('does not see where an image writes: ours keeps the copies of remote files below /tmp, as all that it writes', async () => {
    const dockerfile = await readFile(new URL('../../../docker/Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).toMatch(/^ENV .*\bREMOTE_FILES_PATH=\/tmp\//mu);
  });
});

describe('composeFaults', () => {
  const deployment: Deployment = {
    apps: ['gateway', 'users'],
    databases: ['users'],
    subgraphs: new Map([['users', new URL('http://127.0.0.1:4005/graphql')]]),
    calls: new Map([['gateway', ['users']]]),
  };
  const good = `
    name: shop
    x-all: &all { stop_grace_period: 11s }
    services:
      postgres: { image: 'postgres:18', healthcheck: { test: [CMD, pg_isready] } }
      gateway:
        <<: *all
        build: { args: { APP: gateway } }
        environment: [USERS_URL=http://users:4005/graphql, JWKS_URL=https://example.org/keys]
      users:
        <<: *all
        build: { args: { APP: users } }
        environment: { DATABASE_URL: 'postgresql://meridian_users:secret@postgres/meridian_users' }
  `;

  it('finds none in a valid Compose file whose references exist, anchors included', () => {
    expect(composeFaults(good, deployment)).toEqual([]);
  });

  it('names the place of an invalid key', () => {
    expect(composeFaults('services: { gateway: { ports: 4000 } }', deployment)).toEqual([
      '/services/gateway/ports must be array',
    ]);
  });

  it.each([
    [
      'the image of an app that is gone',
      'APP: users',
      'APP: people',
      'the service users has the image of the app people, which does not exist',
    ],
    [
      'the image of another app',
      'APP: users',
      'APP: gateway',
      'the service users has the image of the app gateway',
    ],
    [
      'a subgraph that the gateway has no URL of',
      'USERS_URL=http://users:4005/graphql, ',
      '',
      'the service gateway cannot reach each subgraph that it calls and no other: its environment lacks USERS_URL',
    ],
    [
      'a URL of a subgraph that is gone',
      'JWKS_URL=https://example.org/keys',
      'PEOPLE_URL=http://people:4009/graphql',
      'the service gateway cannot reach each subgraph that it calls and no other: its environment has PEOPLE_URL, which does not exist',
    ],
    [
      'a URL of a subgraph that the service does not call',
      'environment: {',
      'environment: { USERS_URL: http://users:4005/graphql,',
      'the service users cannot reach each subgraph that it calls and no other: its environment has USERS_URL, which does not exist',
    ],
    [
      'a URL where the subgraph does not listen',
      'http://users:4005/graphql',
      'http://users:4004/graphql',
      'the service gateway has http://users:4004/graphql for USERS_URL, which is http://users:4005/graphql',
    ],
    [
      'the database of another app',
      'postgres/meridian_users',
      'postgres/meridian_gateway',
      'the service users has another DATABASE_URL than meridian_users, as meridian_users',
    ],
    [
      'a stop that is no longer than the grace of a process',
      'stop_grace_period: 11s',
      'stop_grace_period: 0m10s',
      'the service users is killed before it may end: stop_grace_period is not above its SHUTDOWN_GRACE_MS, 10000 ms',
    ],
    [
      'a grace of its own that is longer than the stop',
      'environment: {',
      'environment: { SHUTDOWN_GRACE_MS: 11000,',
      'the service users is killed before it may end: stop_grace_period is not above its SHUTDOWN_GRACE_MS, 11000 ms',
    ],
    [
      'a disabled health check',
      'build: { args: { APP: users } }',
      'healthcheck: { disable: true }',
      'the service users has its health check disabled',
    ],
    [
      'a foreign image without a health check',
      'healthcheck: { test: [CMD, pg_isready] }',
      'restart: always',
      'the service postgres has no healthcheck',
    ],
  ])('finds %s', (_, before, after, fault) => {
    expect(good).toContain(before);
    expect(composeFaults(good.replace(before, after), deployment)).toContain(fault);
  });
});
