-- What a product weighs, packed. Products from before were all sold as parcels of up to one kilogram.
alter table products
  add column weight_grams integer not null default 1000 check (weight_grams > 0);
