import { describe, expect, it } from '@jest/globals';
import { composeFaults } from '../../docker/compose-faults.ts';
import { dockerfileFaults } from '../../docker/dockerfile-faults.ts';

describe('dockerfileFaults', () => {
  it('finds none in a Dockerfile that Docker takes', () => {
    expect(dockerfileFaults('FROM node:24-slim\nCMD ["node"]\n')).toEqual([]);
  });

  it('names the line of an instruction that does not exist', () => {
    expect(dockerfileFaults('FROM node:24-slim\nRUNN true\n')).toEqual(['2: Unknown instruction: RUNN']);
  });
});

describe('composeFaults', () => {
  it('finds none in a file that Compose takes, anchors included', () => {
    const yaml =
      'name: shop\nx-all: &all { restart: always }\nservices:\n  gateway: { <<: *all, image: gateway }\n';

    expect(composeFaults(yaml, ['gateway'])).toEqual([]);
  });

  it('names the place of what Compose does not take', () => {
    expect(composeFaults('services: { gateway: { ports: 4000 } }', ['gateway'])).toEqual([
      '/services/gateway/ports must be array',
    ]);
  });

  it('misses an app without a service', () => {
    expect(composeFaults('services: { gateway: { image: gateway } }', ['gateway', 'users'])).toEqual([
      'there is no service for the app users',
    ]);
  });
});
