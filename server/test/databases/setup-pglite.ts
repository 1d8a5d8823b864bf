import type { TestProject } from 'vitest/node';
import { migratedImage } from './migrated-image.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test databases come from: a migrated image, or a server with a migrated template. */
    database: { engine: 'pglite'; imagePath: string } | { engine: 'postgres'; baseUrl: string };
  }
}

/** Each test file starts from the image of one migrated embedded database. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('database', { engine: 'pglite', imagePath: await migratedImage() });
}
