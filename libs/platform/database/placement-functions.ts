// What `distribute` makes in the schema `placement` of a Citus cluster; Citus copies it to every node. A shard group is the
// co-located shards of all tables for some accounts, named by its shard of `users`.
//
// On the node that holds a shard group, the schema `shard_<id>` has a view of each of its shards under the table's own name,
// and copies of the ledger's functions. With that schema first in the search path every statement of the ledger runs
// unchanged, as on one PostgreSQL: Citus plans nothing, and prepared plans belong to one shard group.

/** The shard group is not on this node, or not any more. */
export const SHARD_MOVED = 'LP001';
/** The shard group has come to this node, and its schema is not made yet. */
export const UNPREPARED = 'LP002';

/**
 * Ids of a shard group ascend, wherever it moves: each time its schema is made, its sequences begin in a range of 2^34 ids
 * that no other schema had before. Ranges below 1,024 belong to the sequences of the coordinator. 2^19 ranges end where JSON
 * ends (2^53).
 */
const EPOCHS = `
  CREATE TABLE IF NOT EXISTS placement.epochs (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    last bigint NOT NULL CHECK (last BETWEEN 1023 AND 524286));
  INSERT INTO placement.epochs (last) VALUES (1023) ON CONFLICT DO NOTHING;`;

/** What the ledger asks of an account while it holds the account's rows; a trigger on `accounts` writes it. */
const ACCOUNT_COPIES = `
  CREATE TABLE IF NOT EXISTS placement.accounts (
    id bigint PRIMARY KEY, preferences jsonb NOT NULL, decimals smallint, sandbox_of bigint, clock_ahead bigint NOT NULL,
    removed_since timestamptz(3), created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL);
  CREATE OR REPLACE FUNCTION placement.copy_account() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      DELETE FROM placement.accounts WHERE id = OLD.id;
      RETURN NULL;
    END IF;
    INSERT INTO placement.accounts AS copy (id, preferences, decimals, sandbox_of, clock_ahead, removed_since, created_at, updated_at)
      VALUES (NEW.id, NEW.preferences, NEW.decimals, NEW.sandbox_of, NEW.clock_ahead, NEW.removed_since, NEW.created_at,
              NEW.updated_at)
      ON CONFLICT (id) DO UPDATE SET preferences = excluded.preferences, decimals = excluded.decimals,
                                     clock_ahead = excluded.clock_ahead, removed_since = excluded.removed_since,
                                     created_at = excluded.created_at, updated_at = excluded.updated_at;
    RETURN NULL;
  END $$;`;

/**
 * Opens the shard group for the transaction. The lock is the one that every write through Citus takes: a move of the shard
 * group waits for it, and holds it while it takes the placement away. The statement after it has a newer snapshot.
 */
const ENTER = `
  CREATE OR REPLACE FUNCTION placement.enter(p_shard bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM placement.hold(p_shard);
    IF to_regclass(format('shard_%s.users', p_shard)) IS NULL THEN
      RAISE EXCEPTION 'shard group % is not prepared on this node', p_shard USING ERRCODE = '${UNPREPARED}';
    END IF;
    PERFORM set_config('search_path', format('shard_%s, public', p_shard), true),
            set_config('citus.enable_manual_changes_to_shards', 'on', true);
    RETURN true;
  END $$;
  CREATE OR REPLACE FUNCTION placement.hold(p_shard bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_dist_shard WHERE shardid = p_shard) THEN
      RAISE EXCEPTION 'shard group % is split', p_shard USING ERRCODE = '${SHARD_MOVED}';
    END IF;
    PERFORM lock_shard_metadata(5, ARRAY[p_shard]);
    IF NOT EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_local_group USING (groupid) WHERE p.shardid = p_shard) THEN
      RAISE EXCEPTION 'shard group % is not on this node', p_shard USING ERRCODE = '${SHARD_MOVED}';
    END IF;
  END $$;`;

/** Dropping a shard that has moved away drops its view with it, so a schema without views is a stale one. */
const PREPARE = `
  CREATE OR REPLACE FUNCTION placement.prepare(p_shard bigint) RETURNS boolean LANGUAGE plpgsql
  SET citus.enable_ddl_propagation = off AS $$
  DECLARE
    own text := format('shard_%s', p_shard);
    first bigint;
    item record;
  BEGIN
    PERFORM pg_advisory_xact_lock(7266005, hashint8(p_shard)), placement.hold(p_shard);
    IF to_regclass(own || '.users') IS NOT NULL THEN RETURN false; END IF;
    UPDATE placement.epochs SET last = last + 1 RETURNING last << 34 INTO first;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE; CREATE SCHEMA %I', own, own);
    FOR item IN
      SELECT c.relname AS name, format('%I.%I', n.nspname, c.relname || '_' || s.shardid) AS shard, c.oid AS relation
        FROM pg_dist_shard anchor
        JOIN pg_dist_partition a ON a.logicalrelid = anchor.logicalrelid
        JOIN pg_dist_partition p ON p.colocationid = a.colocationid AND p.partmethod = 'h'
        JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid AND s.shardminvalue = anchor.shardminvalue
        JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE anchor.shardid = p_shard
    LOOP
      EXECUTE format('CREATE VIEW %I.%I AS SELECT * FROM %s', own, item.name, item.shard);
      PERFORM placement.prepare_ids(own, item.name, item.relation, first);
    END LOOP;
    FOR item IN SELECT pg_get_functiondef(f.oid) AS definition FROM placement.ledger_functions() f (oid) LOOP
      EXECUTE replace(item.definition, 'FUNCTION public.', format('FUNCTION %I.', own));
    END LOOP;
    RETURN true;
  END $$;
  CREATE OR REPLACE FUNCTION placement.prepare_ids(p_schema text, p_table text, p_relation regclass, p_first bigint)
  RETURNS void LANGUAGE plpgsql SET citus.enable_ddl_propagation = off AS $$
  DECLARE
    item record;
  BEGIN
    FOR item IN
      SELECT a.attname AS name, format('%s_%s_seq', p_table, a.attname) AS sequence
        FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = p_relation AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
    LOOP
      EXECUTE format('CREATE SEQUENCE %I.%I MINVALUE %s MAXVALUE %s', p_schema, item.sequence, p_first, p_first + (1::bigint << 34) - 1);
      EXECUTE format('ALTER VIEW %I.%I ALTER COLUMN %I SET DEFAULT nextval(%L)', p_schema, p_table, item.name,
                     format('%I.%I', p_schema, item.sequence));
    END LOOP;
  END $$;`;

/** On a node the trigger of a shard counts into the shard beside it: a query on a shard cannot use a distributed table. */
const COUNT_USERS = `
  CREATE OR REPLACE FUNCTION placement.count_users() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    counts text := (
      SELECT format('public.row_counts_%s', s.shardid)
        FROM pg_dist_shard own
        JOIN pg_dist_shard s ON s.shardminvalue = own.shardminvalue AND s.logicalrelid = 'public.row_counts'::regclass
       WHERE own.shardid = substring(TG_TABLE_NAME FROM '\\d+$')::bigint);
  BEGIN
    PERFORM set_config('citus.enable_manual_changes_to_shards', 'on', true);
    EXECUTE format(
      'INSERT INTO %s AS counted (account_id, kind, shard, rows)
       SELECT account_id, ''users'', pg_backend_pid() %% 16, count(*) FROM inserted GROUP BY account_id ORDER BY account_id
       ON CONFLICT (account_id, kind, shard) DO UPDATE SET rows = counted.rows + excluded.rows', counts);
    RETURN NULL;
  END $$;`;

/** The functions of prisma/functions: each shard group has copies, with plans of their own. */
const LEDGER_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION placement.ledger_functions() RETURNS SETOF oid LANGUAGE sql STABLE AS $$
    SELECT p.oid FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
       AND p.prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('sql', 'plpgsql'))
       AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  $$;`;

export const PLACEMENT_OBJECTS = [EPOCHS, ACCOUNT_COPIES, COUNT_USERS, LEDGER_FUNCTIONS, ENTER, PREPARE].join('\n');
