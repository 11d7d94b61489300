-- Which code a migrated database still serves (docs/operations/upgrading.md). Null: code from before the migration runs beside it unharmed.
-- Else the name of the migration that code must know at least; packages/db/migrate.ts takes it from the migration's first line.
alter table schema_migrations add column needs_code_of text;
