import { readFile } from 'node:fs/promises';

import { parseAllDocuments } from 'yaml';

import { goldenFiles } from '../../charts/golden-files.ts';
import type { KubernetesObject } from '../../charts/schema-faults.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

export interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

export interface Workload extends KubernetesObject {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly [Container, ...Container[]];
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
}

export interface Container {
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: {
    readonly readOnlyRootFilesystem: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
}

export const isWorkload = (object: KubernetesObject): object is Workload =>
  ['Deployment', 'Job'].includes(object.kind);
export const isConfigMap = (object: KubernetesObject): object is ConfigMap => object.kind === 'ConfigMap';

/** The text of a file of the repository. */
export const read = (path: string): Promise<string> => readFile(pathOf(path), 'utf8');

/** The objects of a golden file. */
export async function objectsOf(name: string): Promise<KubernetesObject[]> {
  const path = goldenFiles.find((file) => file.name === name)?.path ?? '';
  return parseAllDocuments(await read(path)).map((document): KubernetesObject => document.toJS());
}
