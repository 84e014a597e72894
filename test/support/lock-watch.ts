import type pg from 'pg';

/**
 * Makes a statement fail that reads a whole table while it keeps requests from it. A change of a table takes its lock
 * for a moment, however many rows there are; a build of an index, a rewrite and a check of all rows do not.
 *
 * The statistics count the reads of a table, so no clock decides. A table is free that is empty or that the
 * transaction has made.
 */
const WATCH = `
  create schema lock_watch;
  create function lock_watch.note_reads() returns event_trigger language plpgsql as $$ begin
    perform set_config('lock_watch.reads', (
      select coalesce(json_object_agg(oid, pg_stat_get_xact_numscans(oid)), '{}')::text
        from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace), false);
  end $$;
  create function lock_watch.compare_reads() returns event_trigger language plpgsql as $$
    declare
      made text := coalesce(current_setting('lock_watch.made', true), '');
      locked text;
    begin
      select made || coalesce(string_agg(' ' || objid || ' ', ''), '') into made
        from pg_event_trigger_ddl_commands() where command_tag = 'CREATE TABLE';
      perform set_config('lock_watch.made', made, true);
      select string_agg(distinct c.relname, ', ') into locked
        from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
         and pg_relation_size(c.oid) > 0 and strpos(made, ' ' || c.oid || ' ') = 0
         and pg_stat_get_xact_numscans(c.oid)
           > coalesce((current_setting('lock_watch.reads')::json ->> c.oid::text)::bigint, 0);
      if locked is not null then
        raise exception '% reads all rows of % under a lock', tg_tag, locked;
      end if;
    end $$;
  create event trigger lock_watch_begin on ddl_command_start execute function lock_watch.note_reads();
  create event trigger lock_watch_end on ddl_command_end execute function lock_watch.compare_reads();`;

/** Watches every statement of the database from now on. The client must be a superuser. */
export const watchLocks = async (client: pg.Client): Promise<void> => void (await client.query(WATCH));
