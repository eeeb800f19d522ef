-- In pixels, of a picture whose header says so: a page reserves its place before it is there.
alter table attachment add column width integer check (width > 0), add column height integer check (height > 0);
