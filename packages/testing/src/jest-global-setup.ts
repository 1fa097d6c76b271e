export default async () => {
  await Promise.resolve();
};
