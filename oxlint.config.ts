import { defineConfig } from 'oxlint';

/** One forbidden import and what to do instead; the message is what a developer reads in the editor. */
interface Ban {
  group: string[];
  message: string;
  allowTypeImports?: boolean;
}

const relativeUp = (folder: string): string[] => [`../**/${folder}/**`, `**/${folder}/src/**`];

const noServer: Ban = {
  group: ['#server/*', '#sandbox/*', '#test/*', ...relativeUp('server')],
  message: 'Talk to the server through web/src/api and the schemas in shared/contract.',
};
const noWeb: Ban = {
  group: ['#web/*', '#web/**', ...relativeUp('web')],
  message:
    'Nothing outside web/ and desktop/renderer may import the UI; move what is shared into shared/.',
};
const noDesktop: Ban = {
  group: [...relativeUp('desktop'), 'electron'],
  message: 'Describe what you need in shared/platform.ts and let desktop/ implement it.',
};
const noSandboxInProduct: Ban = {
  group: ['#sandbox/*', '#sandbox/**', '**/sandbox/**'],
  message:
    'The sandbox is the outside world: reach it over HTTP or SMTP through server/src/adapters.',
};
const noTestInProduct: Ban = {
  group: ['#test/*', '#test/**', '**/test/**', '**/*.fake.ts'],
  message: 'Product code never imports test code; pass the dependency in through Deps.',
};
const noNode: Ban = {
  group: ['node:*'],
  message: 'shared/ runs in browsers too: take what you need as a parameter.',
};
const noReact: Ban = {
  group: [
    'react',
    'react-dom',
    'react-dom/*',
    'react-router-dom',
    '@mantine/*',
    'zustand',
    'dexie-react-hooks',
  ],
  message:
    'This layer knows no React: keep components and hooks in web/src/features or web/src/components.',
};
const noPackagesInShared: Ban = {
  group: ['hono', 'hono/*', 'kysely', 'pg', 'dexie', 'stripe', 'nodemailer', 'undici', 'uuid'],
  message: 'shared/ depends on valibot only.',
};
const noHono: Ban = {
  group: ['hono', 'hono/*', '@hono/*'],
  message: 'Hono stays in *.routes.ts, http/ and app.ts; hand plain values to services.',
};
const noDriver: Ban = {
  group: ['@electric-sql/*', 'pg'],
  message:
    'Only server/src/db opens databases (one mutex guards the embedded one): use Database from db/database.ts.',
};
const noOutsideClients: Ban = {
  group: ['undici', 'stripe', 'nodemailer'],
  message: 'Outside systems are reached through a port in server/src/adapters only.',
};
const noRoutesOrServices: Ban = {
  group: ['**/*.routes.ts', '**/*.service.ts'],
  message: 'Order is routes -> service -> repository -> db: call downwards only.',
};
const noRoutes: Ban = {
  group: ['**/*.routes.ts'],
  message: 'A service never calls a route: move the shared logic into a service.',
};
const noFeatures: Ban = {
  group: [
    '#web/features/*',
    '#web/features/**',
    '#web/app/*',
    '#web/app/**',
    '**/features/**',
    '**/app/**',
  ],
  message:
    'Lower layers never import features or app: pass what is needed as a parameter or property.',
};
const noApp: Ban = {
  group: ['#web/app/*', '#web/app/**', '../../app/**'],
  message: 'Features never import app; routes and providers are handed down by web/src/app.',
};
const noOtherFeature: Ban = {
  group: ['#web/features/*', '#web/features/**', '../../*/**'],
  message:
    'Features do not import each other: move the shared part to components/, local-db/ or sync/.',
};

const ban = (...patterns: Ban[]): ['error', { patterns: Ban[] }] => ['error', { patterns }];
const server = [noWeb, noDesktop, noSandboxInProduct, noTestInProduct];

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'react', 'jsx-a11y', 'vitest', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['node_modules', 'web/dist', 'out', 'dist', 'data'],
  options: { typeAware: true },
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'max-lines': ['error', { max: 300 }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
    'no-shadow': 'off',
    // The compiler sees that a switch over a union is complete; this rule does not.
    'typescript/consistent-return': 'off',
    'no-await-in-loop': 'off',
    'no-restricted-globals': [
      'error',
      { name: 'fetch', message: 'Outside calls live in server/src/adapters or web/src/api.' },
    ],
    'import/no-cycle': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'react/react-in-jsx-scope': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-module-specifiers': 'off',
    'vitest/require-mock-type-parameters': 'off',
  },
  overrides: [
    {
      files: ['shared/**/*.ts'],
      rules: {
        'no-restricted-imports': ban(
          noServer,
          noWeb,
          noDesktop,
          noNode,
          noReact,
          noPackagesInShared,
        ),
      },
    },
    {
      files: ['server/src/**/*.ts'],
      rules: { 'no-restricted-imports': ban(...server, noHono, noDriver, noOutsideClients) },
    },
    {
      files: ['server/src/**/*.repository.ts'],
      rules: {
        'no-restricted-imports': ban(
          ...server,
          noHono,
          noDriver,
          noOutsideClients,
          noRoutesOrServices,
        ),
      },
    },
    {
      files: ['server/src/**/*.service.ts', 'server/src/**/*.job.ts'],
      rules: {
        'no-restricted-imports': ban(...server, noHono, noDriver, noOutsideClients, noRoutes),
      },
    },
    {
      files: [
        'server/src/**/*.routes.ts',
        'server/src/http/**/*.ts',
        'server/src/app.ts',
        'server/src/serve.ts',
      ],
      rules: { 'no-restricted-imports': ban(...server, noDriver, noOutsideClients) },
    },
    {
      files: ['server/src/adapters/**/*.ts'],
      rules: {
        'no-restricted-imports': ban(...server, noHono, noDriver),
        'no-restricted-globals': 'off',
      },
    },
    {
      files: ['server/src/db/**/*.ts'],
      rules: { 'no-restricted-imports': ban(...server, noHono, noOutsideClients) },
    },
    {
      files: ['server/sandbox/**/*.ts'],
      rules: {
        'no-restricted-imports': ban(noWeb, noDesktop, {
          group: ['#server/*', '#server/**', '**/server/src/**'],
          message:
            'The sandbox knows the product only by its protocols: put what both need into shared/.',
        }),
        'no-restricted-globals': 'off',
      },
    },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      rules: { 'no-restricted-imports': ban(noServer, noDesktop, noNode) },
    },
    {
      files: ['web/src/{components,api,theme,platform}/**/*.{ts,tsx}'],
      rules: { 'no-restricted-imports': ban(noServer, noDesktop, noNode, noFeatures) },
    },
    {
      files: ['web/src/{sync,local-db}/**/*.ts'],
      rules: { 'no-restricted-imports': ban(noServer, noDesktop, noNode, noFeatures, noReact) },
    },
    {
      files: ['web/src/features/**/*.{ts,tsx}'],
      rules: { 'no-restricted-imports': ban(noServer, noDesktop, noNode, noApp, noOtherFeature) },
    },
    {
      files: ['desktop/main/**/*.ts', 'desktop/preload/**/*.ts'],
      rules: { 'no-restricted-imports': ban(noServer, noWeb) },
    },
    {
      files: [
        'web/src/api/**/*.ts',
        '{web,desktop}/e2e/**/*.ts',
        'server/{test,bench}/**/*.ts',
        'server/src/start/**',
        'desktop/main/main.ts',
      ],
      rules: { 'no-restricted-globals': 'off' },
    },
    { files: ['**/*.tsx', '{web,desktop}/e2e/**'], rules: { 'max-lines-per-function': 'off' } },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/*.spec.ts'],
      rules: {
        'max-lines-per-function': 'off',
        'no-restricted-globals': 'off',
        'no-restricted-imports': 'off',
      },
    },
    {
      files: [
        'server/src/start.ts',
        'server/src/serve.ts',
        'server/src/work.ts',
        'server/sandbox/main.ts',
        'server/bench/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: [
        '*.config.ts',
        '**/*.config.ts',
        'server/test/setup-*.ts',
        'server/test/tally-reporter.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
