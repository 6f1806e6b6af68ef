// Commands that change a database, or something published, deployed or running elsewhere.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';

const tagsOf = (command: string) =>
  analyse(command, { cwd: '/p', home: '/h' }).commands.flatMap(({ tags = [] }) =>
    tags.filter((tag) => tag === 'database' || tag === 'deploy'),
  );

describe('a command that changes a database', () => {
  test.each([
    'npx prisma migrate deploy',
    'npx prisma db push',
    'npx knex migrate:latest',
    'npx typeorm-ts-node-commonjs migration:run -d ds.ts',
    'pnpm exec sequelize-cli db:migrate',
    'yarn drizzle-kit push',
    'uv run --frozen alembic upgrade head',
    'poetry run flask db upgrade',
    'python3 manage.py migrate',
    './manage.py loaddata a.json',
    'bin/rails db:migrate',
    'bundle exec rake db:rollback',
    'php artisan migrate --force',
    'mix ecto.migrate',
    'dotnet ef database update',
    'flyway migrate',
    'liquibase --url=x update',
    'npm run db:reset',
    'yarn migrate',
    'make seed',
    'node scripts/migrate.js',
    'bash tools/db-reset.sh',
    'go run ./cmd/migrate up',
    'psql -f a.sql',
    'mvn liquibase:update',
    './gradlew flywayMigrate',
    'mix ecto.reset',
    'sudo -u postgres psql',
    'aerich upgrade',
    'yoyo apply',
    'sqitch deploy',
    'skeema push',
    'schemachange deploy',
    'duckdb a.db "drop table b"',
    'poetry run dbt run',
    'usql pg://h -c "drop table b"',
    'vacuumdb --all',
    'bq query "drop table b"',
    'mongo shop fix.js',
  ])('%s', (command) => {
    expect(tagsOf(command)).toContain('database');
  });
});

describe('a command that changes something elsewhere', () => {
  test.each([
    'npm run check --deploy',
    'npm publish',
    'cargo publish',
    'npm run deploy',
    'yarn release',
    'make deploy-prod',
    'terraform apply',
    'docker run x',
    'docker compose up -d',
    'kubectl apply -f a.yaml',
    'npx wrangler deploy',
    'aws s3 cp a s3://b',
    'twine upload dist/*',
    'neonctl branches delete x',
    'npx convex dev',
    'rclone sync a b:c',
    'oc apply -f a.yaml',
    'sftp host',
    './scripts/release.sh',
    'node tools/publish.mjs',
    './gradlew publishToSonatype closeAndReleaseSonatypeStagingRepository',
    'npx gh-pages -d build',
    'eas build --platform all',
    'mkdocs gh-deploy',
    'kamal deploy',
  ])('%s', (command) => {
    expect(tagsOf(command)).toContain('deploy');
  });
});

describe('neither', () => {
  test.each([
    'python manage.py check --deploy',
    'npm test',
    'npm run build',
    'npm run lint',
    'npx vitest run test/db/migrate.test.ts',
    'pytest tests/database',
    'npx eslint src/db/index.ts',
    'npx prettier --write src/deploy/a.ts',
    'npx prisma generate',
    'alembic history',
    'python manage.py makemigrations',
    'rails generate migration AddName',
    'npm run migration:create',
    'npx knex migrate:make add',
    'cat migrations/001.sql',
    'docker ps',
    'kubectl get pods',
    'terraform --version',
    'git push',
  ])('%s', (command) => {
    expect(tagsOf(command)).toEqual([]);
  });
});
