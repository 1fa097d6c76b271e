// values.schema.json, which helm reads before it renders.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { parse } from 'yaml';

import { read } from './golden-objects.ts';

interface ValuesSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ValuesSchema>>;
  readonly items?: ValuesSchema;
  readonly additionalProperties?: unknown;
}

const schemaOf = async (chart: string): Promise<ValuesSchema> =>
  JSON.parse(await read(`deploy/helm/${chart}/values.schema.json`));

describe.each(['meridian-gateway', 'meridian'])('The schema of the values of %s', (chart) => {
  let validate: ValidateFunction;
  beforeAll(async () => {
    validate = new Ajv({ strict: false }).compile(await schemaOf(chart));
  });

  it('accepts the defaults', async () => {
    validate(parse(await read(`deploy/helm/${chart}/values.yaml`), { merge: true }));
    expect(validate.errors).toBeNull();
  });

  it('refuses a misspelt value', () => {
    expect(validate({ autoscaling: { enabeld: true } })).toBe(false);
    expect(validate.errors).toEqual([
      expect.objectContaining({
        instancePath: '/autoscaling',
        params: { additionalProperty: 'enabeld' },
      }),
    ]);
  });
});

describe('The schema of the values of meridian-gateway', () => {
  it.each([
    ['podSecurityContext', 'core.v1.PodSecurityContext', []],
    ['securityContext', 'core.v1.SecurityContext', []],
    ['resources', 'core.v1.ResourceRequirements', []],
    ['lifecycle', 'core.v1.Lifecycle', []],
    ['affinity', 'core.v1.Affinity', []],
    ['dnsConfig', 'core.v1.PodDNSConfig', []],
    ['tolerations', 'core.v1.Toleration', []],
    ['topologySpreadConstraints', 'core.v1.TopologySpreadConstraint', []],
    ['rollingUpdate', 'apps.v1.RollingUpdateDeployment', []],
    ['podDisruptionBudget', 'policy.v1.PodDisruptionBudgetSpec', ['selector']],
    ['probes.readiness', 'core.v1.Probe', ['exec', 'grpc', 'httpGet', 'tcpSocket']],
    ['networkPolicy.ingressFrom', 'networking.v1.NetworkPolicyPeer', []],
    ['networkPolicy.egressTo', 'networking.v1.NetworkPolicyEgressRule', []],
  ])('takes for %s the keys of Kubernetes, except for those that the chart sets', async (path, kind, but) => {
    const { definitions }: { readonly definitions: Readonly<Record<string, ValuesSchema>> } = JSON.parse(
      await read('tools/charts/kubernetes-schemas.json'),
    );
    const keys = Object.keys(definitions[`io.k8s.api.${kind}`]?.properties ?? {});
    let schema: ValuesSchema | undefined = await schemaOf('meridian-gateway');
    for (const name of path.split('.')) {
      schema = schema?.properties?.[name];
    }
    const { properties = {}, additionalProperties } = schema?.items ?? schema ?? {};
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties)).toEqual(keys.filter((key) => !but.some((each) => each === key)));
  });
});
