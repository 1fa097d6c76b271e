import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { isRecord } from '@meridian/settings/values';
import { parseAllDocuments } from 'yaml';

/** The OpenAPI documents of Kubernetes and the custom resources of others are in these Go modules. */
const kubernetes = 'k8s.io/kubernetes@v1.34.2';
const prometheusOperator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const istio = 'istio.io/api@v1.27.3';

/** Every kind that the charts render. */
const kinds: Readonly<Record<string, string>> = {
  'v1/ConfigMap': 'io.k8s.api.core.v1.ConfigMap',
  'v1/Service': 'io.k8s.api.core.v1.Service',
  'v1/ServiceAccount': 'io.k8s.api.core.v1.ServiceAccount',
  'apps/v1/Deployment': 'io.k8s.api.apps.v1.Deployment',
  'batch/v1/Job': 'io.k8s.api.batch.v1.Job',
  'autoscaling/v2/HorizontalPodAutoscaler': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'policy/v1/PodDisruptionBudget': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'networking.k8s.io/v1/NetworkPolicy': 'io.k8s.api.networking.v1.NetworkPolicy',
  'networking.k8s.io/v1/Ingress': 'io.k8s.api.networking.v1.Ingress',
};
const customResources = [
  {
    module: prometheusOperator,
    files: ['servicemonitors', 'prometheusrules'].map(
      (plural) => `example/prometheus-operator-crd/monitoring.coreos.com_${plural}.yaml`,
    ),
    kinds: ['ServiceMonitor', 'PrometheusRule'],
  },
  {
    module: istio,
    files: ['kubernetes/customresourcedefinitions.gen.yaml'],
    kinds: ['VirtualService', 'ServiceEntry'],
  },
];

const schemasPath = 'tools/charts/kubernetes-schemas.json';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Writes the schemas of every kind that the charts render, closed against unknown keys, without descriptions. It takes
 * Go.
 */
export async function extractSchemas(): Promise<void> {
  const folder = await moduleFolder(kubernetes);
  const { definitions }: { readonly definitions: Readonly<Record<string, Schema>> } = JSON.parse(
    await readFile(join(folder, 'api/openapi-spec/swagger.json'), 'utf8'),
  );
  const reached: Record<string, unknown> = {};
  const reach = (name: string): void => {
    const definition = definitions[name];
    if (definition === undefined) {
      throw new Error(`${kubernetes} has no definition ${name}`);
    }
    if (reached[name] === undefined) {
      reached[name] = closed(definition);
      for (const [, other = ''] of JSON.stringify(reached[name]).matchAll(/#\/definitions\/([^"]+)/gu)) {
        reach(other);
      }
    }
  };
  Object.values(kinds).forEach(reach);
  // A quantity may be a number in YAML, and an IntOrString is either; the OpenAPI document calls both strings.
  for (const name of [
    'io.k8s.apimachinery.pkg.api.resource.Quantity',
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  ]) {
    reached[name] = { type: ['string', 'number'] };
  }
  const references = Object.fromEntries(
    Object.entries(kinds).map(([kind, name]) => [kind, { $ref: `#/definitions/${name}` }]),
  );
  const schemas = {
    $comment: `Extracted by pnpm charts --update-schemas from ${[kubernetes, ...customResources.map(({ module }) => module)].join(', ')}: all Apache-2.0`,
    kinds: { ...references, ...(await customResourceSchemas()) },
    definitions: reached,
  };
  await writeFile(schemasPath, `${JSON.stringify(schemas)}\n`);
}

async function customResourceSchemas(): Promise<Readonly<Record<string, Schema>>> {
  const schemas: Record<string, Schema> = {};
  for (const { module, files, kinds: wanted } of customResources) {
    const folder = await moduleFolder(module);
    for (const file of files) {
      const documents = parseAllDocuments(await readFile(join(folder, file), 'utf8'));
      for (const document of documents) {
        const { spec }: CustomResourceDefinition = document.toJS();
        // The first version is the one to use.
        const [version] = spec.versions;
        if (wanted.includes(spec.names.kind)) {
          const schema = closed(version.schema.openAPIV3Schema);
          const properties = isRecord(schema['properties']) ? schema['properties'] : {};
          schemas[`${spec.group}/${version.name}/${spec.names.kind}`] = {
            ...schema,
            properties: { ...properties, ...ofEveryObject },
          };
        }
      }
    }
  }
  return schemas;
}

/** The server has a schema of its own for these. */
const ofEveryObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object' },
};

interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly [
      { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } },
    ];
  };
}

/**
 * The schema as strict decoding has it: no unknown keys. Without descriptions, and without what only Kubernetes reads.
 */
function closed(schema: unknown): Schema {
  if (!isRecord(schema)) {
    throw new Error(`${JSON.stringify(schema)} is not a schema`);
  }
  if ('x-kubernetes-int-or-string' in schema) {
    return { type: ['string', 'integer'] };
  }
  const { properties, items, additionalProperties } = schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) =>
      name !== 'description' &&
      !name.startsWith('x-kubernetes-') &&
      // A flag that only Go's regular expressions have.
      !(name === 'pattern' && String(value).includes('(?i)')),
  );
  return {
    ...Object.fromEntries(kept),
    ...(isRecord(items) && { items: closed(items) }),
    ...(isRecord(additionalProperties) && { additionalProperties: closed(additionalProperties) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])),
      additionalProperties: false,
    }),
  };
}

async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module]);
  const { Dir }: { readonly Dir: string } = JSON.parse(stdout);
  return Dir;
}
