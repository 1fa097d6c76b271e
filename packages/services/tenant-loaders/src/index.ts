export { type FindRows, listLoaderByKey, loaderById, loaderByKey } from './row-loaders.ts';
export {
  createTenantLoader,
  maxBatchSize,
  type OnBatch,
  type ReadBatch,
  type TenantLoader,
  type TenantScope,
} from './tenant-loader.ts';
