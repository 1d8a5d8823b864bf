import { defineConfig } from 'oxlint';
import { type Ban, banIn, noDesktop, noWeb, SERVER_OVERRIDES } from './oxlint.server.ts';
import { noNode, noReact, noServer, WEB_OVERRIDES } from './oxlint.web.ts';

const noPackagesInShared: Ban = {
  group: ['hono', 'hono/*', 'kysely', 'pg', 'dexie', 'stripe', 'nodemailer', 'undici', 'uuid'],
  message: 'shared/ depends on valibot only.',
};
const noServerInSandbox: Ban = {
  group: ['#server/*', '#server/**', '**/server/src/**'],
  message: 'The sandbox knows the product only by its protocols: put what both need into shared/.',
};
export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'react', 'jsx-a11y', 'vitest', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['node_modules', 'web/dist', 'out', 'dist', 'data'],
  options: { typeAware: true, typeCheck: true, denyWarnings: true },
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
    ...banIn(['shared/**/*.ts'], noServer, noWeb, noDesktop, noNode, noReact, noPackagesInShared),
    ...SERVER_OVERRIDES,
    ...banIn(['server/sandbox/**/*.ts'], noWeb, noDesktop, noServerInSandbox),
    { files: ['server/sandbox/**/*.ts'], rules: { 'no-restricted-globals': 'off' } },
    ...WEB_OVERRIDES,
    ...banIn(['desktop/*.ts', 'desktop/{main,preload,packaging}/**/*.ts'], noServer, noWeb),
    ...banIn(['desktop/renderer/**/*.{ts,tsx}'], noServer),
    {
      files: [
        'web/src/api/**/*.ts',
        '{web,desktop}/e2e/**/*.ts',
        'server/{test,bench}/**/*.ts',
        'server/src/main/start/**',
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
        'server/src/main/start/start-product.ts',
        'server/src/main/serve.ts',
        'server/src/main/work.ts',
        'server/sandbox/main.ts',
        'server/bench/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: [
        '*.config.ts',
        '**/*.config.ts',
        'server/test/databases/setup-*.ts',
        'server/test/tally-reporter.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
