# Rails' ActiveRecord 7.1: a bigint is an Integer, a uuid is a String.

require "active_record"
require "stringio"

# libpq reads PGHOST, PGPORT, PGUSER and PGDATABASE
ActiveRecord::Base.establish_connection(
  adapter: "postgresql", schema_search_path: "flakeid_example,public")

# In an application a migration does this.
ActiveRecord::Schema[7.1].define do
  enable_extension "public.flakeid"
  drop_schema "flakeid_example", if_exists: true
  create_schema "flakeid_example"
  create_table :drinks, id: :bigint, default: -> { "fluid_generate()" } do |t|
    t.uuid :ref, null: false, index: { unique: true }, default: -> { "uuid_generate_v7()" }
    t.text :note, null: false
  end
  create_table :guests, id: :uuid, default: -> { "uuid_generate_v7()" } do |t|
    t.text :name, null: false
  end
end

class Drink < ActiveRecord::Base
  DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

  # What link_to and url_for write, as fluid_to_text(id, 'f58plain') does
  def to_param
    "f" + id.digits(58).reverse.map { |digit| DIGITS[digit] }.join
  end

  # Any other text raises ActiveRecord::StatementInvalid: answer with 404.
  def self.from_param(param)
    find_by!("id = fluid_from_f58(?)", param)
  end
end

class Guest < ActiveRecord::Base
end

def expect(holds, what)
  raise "expected #{what}" unless holds
end

# Rails writes it into schema.rb, which creates the test database.
$stdout = StringIO.new
ActiveRecord::SchemaDumper.dump
dumped, $stdout = $stdout.string, STDOUT
expect(dumped.match?(/enable_extension "(public\.)?flakeid"/), "the extension in schema.rb")
expect(dumped.include?('default: -> { "fluid_generate()" }'), "the default in schema.rb")

# The INSERT returns the id and, since Rails 7.1, all columns with a default.
made = %w[tea coffee water milk juice].map do |note|
  drink = Drink.create!(note: note)
  puts "inserted #{drink.id} #{drink.ref} #{drink.note}"
  drink
end
expect(made[0].id.is_a?(Integer), "an Integer")
guests = Guest.create!([{ name: "Ada" }, { name: "Grace" }])
guests.each { |guest| puts "guest #{guest.id} #{guest.name}" }

found = Drink.find(made[1].id)
puts "found #{found.id}: #{found.note}"
expect(found.attributes == made[1].attributes, "the row by its id")

shown = Drink.pluck(Arel.sql("fluid_to_text(id, 'f58plain')")).sort
expect(made.map(&:to_param).sort == shown, "the ids in URLs")
expect(Drink.from_param(made[1].to_param) == found, "the row by the id in its URL")
begin
  Drink.from_param(found.id.to_s)
  raise "expected an error"
rescue ActiveRecord::StatementInvalid
end

# By time: from is inclusive, to is exclusive
range = { from: 1.hour.ago, to: 1.hour.from_now }
drinks = Drink.where("fluid_in_range(id, :from, :to)", range).order(:id).to_a
met = Guest.where("uuid_v7_in_range(id, :from, :to)", range).order(:id).to_a
puts "range: #{drinks.size} drinks, #{met.size} guests"
expect(drinks == made, "the drinks of two hours")
expect(met == guests, "the guests of two hours")

# Pages of two, newest first
notes = []
newest = Drink.order(id: :desc).limit(2)
page = newest.to_a
until page.empty?
  puts "page: #{page.map(&:note).join(", ")}"
  notes += page.map(&:note)
  page = newest.where("id < ?", page.last.id).to_a
end
expect(notes == %w[juice milk water coffee tea], "pages from the newest on")
