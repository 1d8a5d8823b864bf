import { onTestFinished } from 'vitest';

/** Holds the device's list of databases, which a session begins with, until the test lets it go. */
export function holdDatabases(): () => void {
  const databases = indexedDB.databases.bind(indexedDB);
  const held = Promise.withResolvers<void>();
  onTestFinished(() => void Reflect.deleteProperty(indexedDB, 'databases'));
  Object.assign(indexedDB, { databases: () => held.promise.then(databases) });
  return () => held.resolve();
}
