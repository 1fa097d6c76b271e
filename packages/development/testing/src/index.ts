export { callCommand } from './call-command.ts';
export type { CommandEnding } from './call-command.ts';
export { caseCount, casesOf, createRandom, hashOf } from './random.ts';
export { createTestDatabase } from './create-test-database.ts';
export type { TestDatabase, TestDatabaseOptions } from './create-test-database.ts';
export { createTestIdentity } from './create-test-identity.ts';
export type { TestIdentity } from './create-test-identity.ts';
export { eventually } from './eventually.ts';
export { field, frame, getHead, headFrames, preface } from './http2-frames.ts';
export { listenOnLoopback } from './listen-on-loopback.ts';
export type { LoopbackServer } from './listen-on-loopback.ts';
export { startGrpcCollector, startOtlpCollector } from './otlp-collector.ts';
export type { CollectedMetric, CollectedPoint, CollectedSpan, OtlpCollector } from './otlp-collector.ts';
export { appsOf, processesIn, remainsOf, tracesOf } from './process-traces.ts';
export { type GitRepository, createGitRepository } from './git-repository.ts';
export type { Random } from './random.ts';
export { startRoundRobinProxy } from './round-robin-proxy.ts';
export { createSelfSignedCertificate } from './self-signed-certificate.ts';
export type { Certificate } from './self-signed-certificate.ts';
export {
  compileCache,
  compileCacheOfCopy,
  runScript,
  startServiceCommand,
  startServiceProcess,
} from './service-process.ts';
export type { ServiceProcess } from './service-process.ts';
export { startRedisServer } from './start-redis-server.ts';
export type { MutualTls, RedisServer } from './start-redis-server.ts';
export { startFront } from './start-front.ts';
export type { Front } from './start-front.ts';
