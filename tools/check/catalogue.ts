import pg from 'pg';

// The whole catalogue of a database as lines of text, so that a change of a migration or a function shows what it does to it.

/** Without Prisma's own table and without what belongs to an extension. */
const RELATIONS = `
  SELECT c.relname AS name, c.* FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_prisma%'
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** Columns by their order in the row. A CHECK is the same whether or not older rows were read for it. */
const CATALOGUE = `
  WITH r AS (${RELATIONS}), lines (kind, owner, place, text) AS (
    SELECT 1, extname, 0, concat('extension ', extname) FROM pg_extension WHERE extname NOT IN ('plpgsql', 'citus', 'citus_columnar')
    UNION ALL
    SELECT 2, name, 0, concat_ws(' ', CASE relkind WHEN 'r' THEN 'table' WHEN 'c' THEN 'type' ELSE concat('relation ', relkind) END,
           name, reloptions, nullif(relpersistence, 'p'), CASE WHEN relreplident <> 'd' AND relkind = 'r' THEN concat('replica identity ', relreplident) END,
           CASE WHEN relrowsecurity THEN 'row security' END, r.relacl::text, obj_description(r.oid, 'pg_class'))
      FROM r WHERE relkind NOT IN ('i', 'S')
    UNION ALL
    SELECT 2, r.name, row_number() OVER (PARTITION BY r.oid ORDER BY a.attnum)::int, concat_ws(' ', '  ' || a.attname,
           format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' END,
           CASE WHEN a.attgenerated <> '' THEN 'generated' WHEN d.oid IS NOT NULL THEN 'default' END,
           pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, ''),
           CASE WHEN a.attstorage <> y.typstorage THEN concat('storage ', a.attstorage) END, nullif(a.attcompression, ''),
           'statistics ' || nullif(a.attstattarget, -1), a.attoptions::text, a.attacl::text, col_description(r.oid, a.attnum))
      FROM r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
     WHERE r.relkind NOT IN ('i', 'S') OR a.attstattarget >= 0
    UNION ALL
    SELECT 2, r.name, 10001, concat('  constraint ', o.conname, ' ', replace(pg_get_constraintdef(o.oid), ' NOT VALID', ''))
      FROM r JOIN pg_constraint o ON o.conrelid = r.oid WHERE o.contype <> 'n'
    UNION ALL
    SELECT 2, r.name, 10002, concat_ws(' ', '  ' || pg_get_indexdef(i.indexrelid), CASE WHEN i.indisreplident THEN 'replica identity' END,
           CASE WHEN NOT i.indisvalid THEN 'invalid' END)
      FROM r JOIN pg_index i ON i.indrelid = r.oid
     WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 2, r.name, 10003, concat_ws(' ', '  ' || pg_get_triggerdef(t.oid), nullif(t.tgenabled, 'O'))
      FROM r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
    UNION ALL
    SELECT 2, r.name, 10004, '  ' || pg_get_statisticsobjdef(s.oid) FROM r JOIN pg_statistic_ext s ON s.stxrelid = r.oid
    UNION ALL
    SELECT 2, r.name, 10005, concat('  policy ', p.*) FROM r JOIN pg_policy p ON p.polrelid = r.oid
    UNION ALL
    SELECT 4, r.name, 0, concat_ws(' ', 'sequence', r.name, format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement, s.seqmin,
           s.seqmax, s.seqcache, s.seqcycle, d.refobjid::regclass, relacl::text)
      FROM r JOIN pg_sequence s ON s.seqrelid = r.oid
      LEFT JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    UNION ALL
    SELECT 5, t.typname, 0, concat('other type ', t.typname, ' ', t.typtype) FROM pg_type t
     WHERE t.typnamespace = 'public'::regnamespace AND t.typtype NOT IN ('b', 'c')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 6, p.proname, 0, concat_ws(' ', 'function', p.oid::regprocedure, 'returns', pg_get_function_result(p.oid), md5(pg_get_functiondef(p.oid)), p.proacl::text)
      FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 7, '', 0, concat('default privileges ', defaclrole::regrole, ' ', defaclobjtype, ' ', defaclacl) FROM pg_default_acl)
  SELECT string_agg(text, chr(10) ORDER BY kind, owner COLLATE "C", place, text COLLATE "C") || chr(10) AS catalogue FROM lines`;

export async function readCatalogue(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ catalogue: string }>(CATALOGUE);
    return rows[0]?.catalogue ?? '';
  } finally {
    await client.end();
  }
}
