# Makes the tables beside it: ruby floats.rb
r=Random.new(7)
fs=[]
2000.times{ fs << [r.rand(2**64)].pack("Q").unpack1("D") }
1000.times{ fs << (r.rand*10**r.rand(20)).round(1+r.rand(6)) ; fs << r.rand(100000)/1000.0}
fs.select!{|f| Float===f && f.finite?}
File.write("float_to_s.tsv", fs.map{|f| "#{[f].pack('G').unpack1('H*')}\t#{f}\n"}.first(1500).join + fs.last(1500).map{|f| "#{[f].pack('G').unpack1('H*')}\t#{f}\n"}.join)
# Later versions fixed a ceil that lands one step too high.
def fixceil(f,n) c=f.ceil(n); return c unless n>0 && n<15; d=Rational((f.to_r*10**n).ceil-1,10**n).to_f; d>=f ? d : c end
rows=[]
800.times{ f = [r.rand(10000)/1000.0*10**r.rand(5), -r.rand*100, r.rand(1000)/8.0, (r.rand(2000)+0.5)/10**r.rand(4)].sample(random: r); n=r.rand(-3..14); rows << [f,n]}
[0.5,1.5,2.5,-0.5,-1.5,-2.5,25.0,35.0,2.675,1.005,1e-20,5.015].each{|f|(-3..4).each{|n| rows<<[f,n]}}
File.write("float_round.tsv", rows.map{|f,n| [[f].pack('G').unpack1('H*'),n,f.round(n),f.round(n,half: :even),f.round(n,half: :down),f.floor(n),c=fixceil(f,n),(f>0 ? f.floor(n) : c)].join("\t")+"\n"}.join)
