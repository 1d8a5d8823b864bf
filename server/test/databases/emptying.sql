-- In the template of the tests' databases: a copy can be emptied, and tells whether more than rows has changed.
create schema kept;
create table kept.change (tag text not null);
create function kept.note_change() returns event_trigger language plpgsql as $$
begin
  insert into kept.change values (tg_tag);
end $$;
do $$
declare name text; has_rows boolean;
begin
  for name in select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop
    execute format('select exists (select from public.%I)', name) into has_rows;
    if has_rows then execute format('create table kept.%I as table public.%I', 'rows_of_' || name, name); end if;
  end loop;
end $$;
-- Leaves the rows that the template has; returns the other tables that had any.
create function kept.empty() returns setof text language plpgsql
set session_replication_role = replica as $$
declare name text; has_changed boolean;
begin
  for name in select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop
    if to_regclass(format('kept.%I', 'rows_of_' || name)) is null then
      execute format('delete from public.%I', name);
      return next name;
    else
      execute format('select array(select t::text from public.%I t order by 1)
        is distinct from array(select t::text from kept.%I t order by 1)', name, 'rows_of_' || name)
        into has_changed;
      if has_changed then
        execute format('delete from public.%I', name);
        execute format('insert into public.%I table kept.%I', name, 'rows_of_' || name);
      end if;
    end if;
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    from pg_sequences where last_value is not null;
end $$;
create event trigger note_change on ddl_command_end execute function kept.note_change();
