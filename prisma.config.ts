import { defineConfig } from 'prisma/config';

// No datasource address here: `prisma generate` needs none, and migrations run through libs/platform/database/migrations.
export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
